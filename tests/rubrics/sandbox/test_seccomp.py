"""The filters, read by an interpreter of the kernel's: what they refuse is what their rules say."""

from __future__ import annotations

import ctypes
import ctypes.util
import errno
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.rubrics.sandbox.inside.seccomp import ALLOW, KILL, REFUSE, SANDBOX, Rule, code_rules, program
from easel_app.rubrics.sandbox.inside.syscalls import MACHINES, NEWEST, NUMBERS

OWN = 7
RULES = {"sandbox": SANDBOX, "code": code_rules(OWN)}
PROGRAMS = {(machine, name): program(machine, rules) for machine in MACHINES for name, rules in RULES.items()}


def interpret(filter_: bytes, audit: int, number: int, arguments: tuple[int, ...]) -> int:
    """What the kernel does with a call; the instructions are those of Linux's socket filters."""
    data = struct.pack("<IIQ6Q", number, audit, 0, *arguments)
    steps = list(struct.iter_unpack("=HBBI", filter_))
    at, accumulator = 0, 0
    while True:
        code, yes, no, value = steps[at]
        at += 1
        if code == 0x06:
            return int(value)
        if code == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif code == 0x05:
            at += value
        else:
            met = {
                0x15: accumulator == value,
                0x25: accumulator > value,
                0x35: accumulator >= value,
                0x45: bool(accumulator & value),
            }
            at += yes if met[code] else no


def refused(rule: Rule, arguments: tuple[int, ...]) -> bool:
    """What a rule says of a call's arguments, in plain words."""
    value = arguments[rule.argument]
    low = value % 2**32
    match rule.when:
        case "always":
            return True
        case "given":
            return value != 0
        case "has":
            return bool(low & rule.values[0])
        case "lacks":
            return not low & rule.values[0]
        case "is":
            return low in rule.values
        case "is not":
            return low not in rule.values


words = st.one_of(
    st.sampled_from([0, 1, 7, 8, 10, 15, 22, 2**32, 2**32 + 7, 0x5412, 0x8901, 0x10000, 0x10000 | 0x20000, 2**64 - 1]),
    st.integers(0, 2**64 - 1),
)
six = st.tuples(words, words, words, words, words, words)


@pytest.mark.parametrize(("machine", "name"), PROGRAMS)
@given(number=st.integers(0, NEWEST + 20), arguments=six)
def test_a_filter_does_what_its_rules_say(machine: str, name: str, number: int, arguments: tuple[int, ...]) -> None:
    audit, column = MACHINES[machine]
    of_call = [rule for rule in RULES[name] if NUMBERS[rule.call][column] == number]
    wanted = next((REFUSE | rule.error for rule in of_call if refused(rule, arguments)), ALLOW)
    wanted = REFUSE | errno.ENOSYS if number > NEWEST else wanted
    assert interpret(PROGRAMS[machine, name], audit, number, arguments) == wanted


@pytest.mark.parametrize(("machine", "name"), PROGRAMS)
@given(data=st.data(), arguments=six)
def test_every_rule_has_its_turn(machine: str, name: str, data: st.DataObject, arguments: tuple[int, ...]) -> None:
    audit, column = MACHINES[machine]
    rule = data.draw(st.sampled_from([rule for rule in RULES[name] if NUMBERS[rule.call][column] is not None]))
    number = NUMBERS[rule.call][column] or 0
    found = interpret(PROGRAMS[machine, name], audit, number, arguments)
    assert found == (REFUSE | rule.error if refused(rule, arguments) else ALLOW)


@pytest.mark.parametrize(("machine", "name"), PROGRAMS)
@given(audit=st.integers(0, 2**32 - 1), number=st.integers(0, 2**32 - 1), arguments=six)
def test_a_call_in_the_manner_of_another_processor_ends_the_process(
    machine: str, name: str, audit: int, number: int, arguments: tuple[int, ...]
) -> None:
    own = MACHINES[machine].audit
    if audit != own:
        assert interpret(PROGRAMS[machine, name], audit, number, arguments) == KILL
    assert interpret(PROGRAMS[machine, name], own, number | 1 << 30, arguments) == KILL  # x32's numbers, and -1


@pytest.mark.parametrize("which", [17, 0, 0x3D0F00, 0x1200011])
def test_threads_can_be_started_and_nothing_else(which: int) -> None:
    thread = bool(which & 0x10000)
    audit, column = MACHINES["x86_64"]
    found = interpret(PROGRAMS["x86_64", "code"], audit, NUMBERS["clone"][column] or 0, (which, 0, 0, 0, 0, 0))
    assert found == (ALLOW if thread else REFUSE | errno.EPERM)


@pytest.mark.parametrize(
    ("number", "allowed"), {0: True, OWN: True, OWN + 1: False, 1: False, 2**32 - 1: False}.items()
)
def test_a_process_moves_no_other_to_another_core(number: int, allowed: bool) -> None:
    for machine, (audit, column) in MACHINES.items():
        call = NUMBERS["sched_setaffinity"][column] or 0
        found = interpret(PROGRAMS[machine, "code"], audit, call, (number, 0, 0, 0, 0, 0))
        assert (found == ALLOW) is allowed


@pytest.mark.parametrize("space", ["NEWNS", "NEWCGROUP", "NEWUTS", "NEWIPC", "NEWUSER", "NEWPID", "NEWNET"])
def test_no_name_space_can_be_made(space: str) -> None:
    flags = {
        "NEWNS": 0x00020000, "NEWCGROUP": 0x02000000, "NEWUTS": 0x04000000, "NEWIPC": 0x08000000,
        "NEWUSER": 0x10000000, "NEWPID": 0x20000000, "NEWNET": 0x40000000,
    }  # fmt: skip
    for machine, (audit, column) in MACHINES.items():
        number = NUMBERS["clone"][column] or 0
        found = interpret(PROGRAMS[machine, "sandbox"], audit, number, (flags[space] | 17, 0, 0, 0, 0, 0))
        assert found == REFUSE | errno.EPERM


@pytest.mark.parametrize(("machine", "name"), PROGRAMS)
def test_a_filter_is_one_that_the_kernel_takes(machine: str, name: str) -> None:
    steps = list(struct.iter_unpack("=HBBI", PROGRAMS[machine, name]))
    assert 0 < len(steps) < 4096
    for at, (code, yes, no, value) in enumerate(steps):
        assert code in (0x20, 0x15, 0x25, 0x45, 0x06)
        if code == 0x20:
            assert value % 4 == 0
            assert value < 64
        if code in (0x15, 0x25, 0x45):
            assert at + 1 + max(yes, no) < len(steps)
    assert steps[-1][0] == 0x06


def test_the_numbers_are_those_of_the_kernel() -> None:
    library = ctypes.util.find_library("seccomp")
    if not library:
        pytest.skip("libseccomp, which knows the numbers, is not installed")
    resolve = ctypes.CDLL(library).seccomp_syscall_resolve_name_arch
    for machine, (audit, column) in MACHINES.items():
        for call, numbers in NUMBERS.items():
            known = resolve(ctypes.c_uint32(audit), call.encode())
            assert (known if known >= 0 else None) == numbers[column], f"{call} on {machine}"


def test_every_number_has_a_rule_and_no_rule_is_given_twice() -> None:
    calls = [rule.call for rules in RULES.values() for rule in rules]
    assert set(calls) == set(NUMBERS)
    for rules in RULES.values():
        assert len({rule.call for rule in rules}) == len(rules)
