"""Which system calls the sandbox refuses, as a program for the kernel's filter (seccomp, classic BPF).

Two filters lie on top of each other: `SANDBOX` on all that runs there, `code_rules` besides on the process of the code,
which shall start no other. A refused call fails as if it were not allowed or not known; a call in the manner of another
processor ends the process.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple

from .syscalls import MACHINES, NEWEST, NUMBERS

ALLOW: Final = 0x7FFF0000
REFUSE: Final = 0x00050000
"""Plus the error number."""
KILL: Final = 0x80000000

_LOAD, _EQUAL, _GREATER, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_NUMBER, _AUDIT, _ARGUMENTS = 0, 4, 16
"""Places in the kernel's `struct seccomp_data`; each argument has eight bytes, the low half first."""
_X32 = 0x40000000
"""In the number of a call by x86_64's 32-bit convention, which has the same `AUDIT_ARCH_…`."""

_NEW_NAME_SPACES: Final = 0x7E020000
"""`CLONE_NEWNS`, `…CGROUP`, `…UTS`, `…IPC`, `…USER`, `…PID`, `…NET`."""
_THREAD: Final = 0x00010000
_AF_UNIX: Final = 1
_SETS_OWNER: Final = (8, 10, 15)
"""`F_SETOWN`, `F_SETSIG`, `F_SETOWN_EX`: the kernel would send signals to others in the code's name."""
_TAKES_OF_ALL: Final = (1024, 1026, 1031)
"""`F_SETLEASE`, which holds up others who open a file; `F_NOTIFY`; and `F_SETPIPE_SZ`, for memory of the kernel."""
_SETS_OWNER_IOCTL: Final = (0x8901, 0x8902, 0x5412)
"""`FIOSETOWN`, `SIOCSPGRP`, and `TIOCSTI`, which types into a terminal."""
_PR_SET_SECCOMP: Final = (22,)


class Rule(NamedTuple):
    """A call that is refused, always or by one of its arguments."""

    call: str
    error: int = errno.EPERM
    when: Literal["always", "has", "lacks", "is", "is not", "given"] = "always"
    """What the argument is to `values`: has one of the bits, lacks all of them, is one of them or none; or it is given,
    which is not 0 in any of its 64 bits. The others look at 32 bits, as the kernel does in these calls."""
    argument: int = 0
    values: tuple[int, ...] = ()


_OUTRIGHT: Final = (
    "ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_getfd personality "
    "unshare setns mount umount2 pivot_root chroot open_tree move_mount fsopen fsconfig fsmount fspick quotactl swapon "
    "swapoff name_to_handle_at open_by_handle_at lookup_dcookie fanotify_init fanotify_mark mknod mknodat "
    "memfd_create shmget shmat shmctl shmdt msgget msgsnd msgrcv msgctl semget semop semtimedop semctl "
    "mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr add_key request_key keyctl "
    "bpf perf_event_open userfaultfd splice tee vmsplice remap_file_pages mbind set_mempolicy migrate_pages move_pages "
    "reboot kexec_load kexec_file_load init_module finit_module delete_module syslog acct vhangup settimeofday "
    "clock_settime clock_adjtime adjtimex sethostname setdomainname nfsservctl iopl ioperm modify_ldt uselib ustat "
    "sysfs _sysctl create_module get_kernel_syms query_module "
    # the kernel counts these, and what they hold, for all processes of the machine's user together, or for none
    "inotify_init inotify_init1 inotify_add_watch timer_create sync syncfs "
    # a pair of sockets is for a program with itself: no names, no buffers of a gigabyte, no files on their way
    "bind connect listen accept accept4 setsockopt sendmsg sendmmsg"
)
_UNKNOWN: Final = "clone3 io_uring_setup io_uring_enter io_uring_register io_setup io_submit"
"""As on a kernel without them, so that programs fall back: the flags of clone3 lie where no filter can read."""

SANDBOX: Final = (
    *(Rule(call) for call in _OUTRIGHT.split()),
    *(Rule(call, errno.ENOSYS) for call in _UNKNOWN.split()),
    Rule("clone", when="has", values=(_NEW_NAME_SPACES,)),
    # a network name space of its own does not fence every family (AF_VSOCK), and none is of use without a network
    Rule("socket", errno.EACCES),
    Rule("socketpair", errno.EACCES, when="is not", values=(_AF_UNIX,)),
    Rule("sendto", when="given", argument=4),
)
"""For everything in the sandbox."""


def code_rules(own: int) -> tuple[Rule, ...]:
    """Besides, for the process of the code.

    Args:
        own: its number, the only one that it may signal.
    """
    alone = "fork vfork execve execveat"
    others = (
        "tkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_open pidfd_send_signal setrlimit setpriority sched_setscheduler "
        "sched_setparam sched_setattr ioprio_set seccomp"
    )
    return (
        *(Rule(call) for call in f"{alone} {others}".split()),
        Rule("clone", when="lacks", values=(_THREAD,)),
        Rule("kill", when="is not", values=(own,)),
        Rule("tgkill", when="is not", values=(own,)),
        Rule("sched_setaffinity", when="is not", values=(0, own)),
        Rule("prlimit64", when="given", argument=2),
        Rule("prctl", when="is", values=_PR_SET_SECCOMP),
        Rule("fcntl", when="is", argument=1, values=_SETS_OWNER + _TAKES_OF_ALL),
        Rule("ioctl", when="is", argument=1, values=_SETS_OWNER_IOCTL),
    )


def program(machine: str, rules: Iterable[Rule]) -> bytes:
    """The filter: `struct sock_filter` (code, jump if true, jump if false, operand) after each other.

    Args:
        machine: `x86_64` or `aarch64`.
        rules: what is refused; all else is allowed, up to the newest call that is known.

    Raises:
        KeyError: there is no filter for that machine.
    """
    audit, column = MACHINES[machine]
    steps = [
        (_LOAD, 0, 0, _AUDIT),
        (_EQUAL, 1, 0, audit),
        (_RETURN, 0, 0, KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_GREATER, 0, 3, NEWEST),
        (_GREATER, 0, 1, _X32 - 1),
        (_RETURN, 0, 0, KILL),
        (_RETURN, 0, 0, REFUSE | errno.ENOSYS),
    ]
    for rule in rules:
        if (number := NUMBERS[rule.call][column]) is not None:
            steps += _steps(number, rule)
    steps.append((_RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _steps(number: int, rule: Rule) -> list[tuple[int, int, int, int]]:
    """One rule; the number of the call is loaded before it and after it."""
    refuse = (_RETURN, 0, 0, REFUSE | rule.error)
    if rule.when == "always":
        return [(_EQUAL, 0, 1, number), refuse]
    body = [*_argument(rule), refuse]
    return [(_EQUAL, 0, len(body) + 1, number), *body, (_LOAD, 0, 0, _NUMBER)]


def _argument(rule: Rule) -> Iterator[tuple[int, int, int, int]]:
    """Goes on behind its end if the argument is as the rule has it, else one step further."""
    low = _ARGUMENTS + 8 * rule.argument
    yield (_LOAD, 0, 0, low)
    if rule.when == "given":
        yield (_EQUAL, 0, 2, 0)
        yield (_LOAD, 0, 0, low + 4)
        yield (_EQUAL, 1, 0, 0)
    elif rule.when in ("has", "lacks"):
        yield (_ANY_BIT, *((0, 1) if rule.when == "has" else (1, 0)), rule.values[0])
    elif rule.when == "is not":
        for left, value in zip(range(len(rule.values), 0, -1), rule.values, strict=True):
            yield (_EQUAL, left, 0, value)
    else:
        for left, value in zip(range(len(rule.values) - 1, -1, -1), rule.values, strict=True):
            yield (_EQUAL, left, 0 if left else 1, value)
