"""Numbers of the system calls that the filters name, as Linux has them on x86_64 and on aarch64."""

from __future__ import annotations

from typing import Final, NamedTuple


class Machine(NamedTuple):
    """A processor's way to call the kernel."""

    audit: int
    """`AUDIT_ARCH_…`, by which the kernel names it."""
    column: int
    """Of `NUMBERS`."""


MACHINES: Final = {"x86_64": Machine(0xC000003E, 0), "aarch64": Machine(0xC00000B7, 1)}
"""By what `platform.machine()` says."""
NEWEST: Final = 441
"""`epoll_pwait2`: what came later is unknown to the programs in the sandbox, and from 424 on all machines agree."""

NUMBERS: Final[dict[str, tuple[int | None, int | None]]] = {
    # processes
    "clone": (56, 220), "clone3": (435, 435), "fork": (57, None), "vfork": (58, None),
    "execve": (59, 221), "execveat": (322, 281),
    "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "pidfd_send_signal": (424, 424), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438),
    "setrlimit": (160, 164), "prlimit64": (302, 261),
    "setpriority": (141, 140), "sched_setscheduler": (144, 119), "sched_setparam": (142, 118),
    "sched_setattr": (314, 274), "sched_setaffinity": (203, 122), "ioprio_set": (251, 30),
    "ptrace": (101, 117), "kcmp": (312, 272), "process_madvise": (440, 440),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "prctl": (157, 167), "seccomp": (317, 277), "personality": (135, 92),
    # name spaces and file systems
    "unshare": (272, 97), "setns": (308, 268),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433),
    "quotactl": (179, 60), "swapon": (167, 224), "swapoff": (168, 225),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "lookup_dcookie": (212, 18),
    "fanotify_init": (300, 262), "fanotify_mark": (301, 263), "mknod": (133, None), "mknodat": (259, 33),
    "fcntl": (72, 25), "ioctl": (16, 29), "sync": (162, 81), "syncfs": (306, 267),
    "inotify_init": (253, None), "inotify_init1": (294, 26), "inotify_add_watch": (254, 27),
    # memory that no limit of a process counts
    "memfd_create": (319, 279),
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "shmdt": (67, 197),
    "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187),
    "semget": (64, 190), "semop": (65, 193), "semtimedop": (220, 192), "semctl": (66, 191),
    "mq_open": (240, 180), "mq_unlink": (241, 181), "mq_timedsend": (242, 182),
    "mq_timedreceive": (243, 183), "mq_notify": (244, 184), "mq_getsetattr": (245, 185),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    # large parts of the kernel that pictures do not need
    "socket": (41, 198), "socketpair": (53, 199), "bind": (49, 200), "connect": (42, 203), "listen": (50, 201),
    "accept": (43, 202), "accept4": (288, 242), "setsockopt": (54, 208),
    "sendto": (44, 206), "sendmsg": (46, 211), "sendmmsg": (307, 269), "timer_create": (222, 107),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "io_setup": (206, 0), "io_submit": (209, 2),
    "splice": (275, 76), "tee": (276, 77), "vmsplice": (278, 75), "remap_file_pages": (216, 234),
    "mbind": (237, 235), "set_mempolicy": (238, 237), "migrate_pages": (256, 238), "move_pages": (279, 239),
    # the machine itself
    "reboot": (169, 142), "kexec_load": (246, 104), "kexec_file_load": (320, 294),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "syslog": (103, 116), "acct": (163, 89), "vhangup": (153, 58),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "clock_adjtime": (305, 266), "adjtimex": (159, 171),
    "sethostname": (170, 161), "setdomainname": (171, 162), "nfsservctl": (180, 42),
    "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None), "uselib": (134, None),
    "ustat": (136, None), "sysfs": (139, None), "_sysctl": (156, None), "create_module": (174, None),
    "get_kernel_syms": (177, None), "query_module": (178, None),
}  # fmt: skip
"""Of each machine in turn; None where it has no such call."""
