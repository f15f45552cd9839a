"""Thrift's compact protocol (apache/thrift, doc/specs/thrift-compact-protocol.md), as far as page headers use it."""

from __future__ import annotations

from typing import Any

_BOOLEANS, _BYTE, _INTEGERS, _DOUBLE, _BINARY, _LISTS, _STRUCT = (1, 2), 3, (4, 5, 6), 7, 8, (9, 10), 12
_MOST_DEEP = 8


def struct(data: bytes) -> tuple[dict[int, Any], int]:
    """A struct as a dict by field number, and how many bytes it has.

    Raises:
        ValueError: it is cut off, or is none.
    """
    try:
        return _struct(data, 0, 0)
    except (IndexError, KeyError):
        raise ValueError("a header is damaged") from None


def _struct(data: bytes, at: int, deep: int) -> tuple[dict[int, Any], int]:
    if deep > _MOST_DEEP:
        raise ValueError("a header is nested too deeply")
    found: dict[int, Any] = {}
    number = 0
    while True:
        head = data[at]
        at += 1
        kind = head & 15
        if kind == 0:
            return found, at
        if head >> 4:
            number += head >> 4
        else:
            number, at = _integer(data, at)
        if kind in _BOOLEANS:
            found[number] = kind == 1
        else:
            found[number], at = _value(data, at, kind, deep)


def _value(data: bytes, at: int, kind: int, deep: int) -> tuple[Any, int]:
    if kind in _INTEGERS:
        return _integer(data, at)
    if kind in (_BYTE, *_BOOLEANS):  # in a list a boolean is a byte
        return data[at], at + 1
    if kind in (_DOUBLE, _BINARY):
        size, at = (8, at) if kind == _DOUBLE else _varint(data, at)
        if at + size > len(data):
            raise ValueError("a header is cut off")
        return data[at : at + size], at + size
    if kind in _LISTS:
        head = data[at]
        count, at = (head >> 4, at + 1) if head >> 4 < 15 else _varint(data, at + 1)
        if deep > _MOST_DEEP or count > len(data) - at:  # each item has a byte or more
            raise ValueError("a header is cut off, or nested too deeply")
        items = []
        for _ in range(count):
            item, at = _value(data, at, head & 15, deep + 1)
            items.append(item)
        return items, at
    if kind == _STRUCT:
        return _struct(data, at, deep + 1)
    raise ValueError("a header holds a field of an unknown kind")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value, shift = 0, 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at
        if shift > 63:
            raise ValueError("a header holds a number that is too long")


def _integer(data: bytes, at: int) -> tuple[int, int]:
    value, at = _varint(data, at)
    return (value >> 1) ^ -(value & 1), at
