"""Which addresses of the network are public, so that a page that a model names cannot be one of the host's own.

Rules after the IANA registries of special-purpose addresses, of which Python's `ipaddress` knows most, and of services
that clouds offer to the machines inside them only.
"""

from __future__ import annotations

import ipaddress
import re
from ipaddress import IPv4Address, IPv6Address

_SPECIAL4 = tuple(
    ipaddress.IPv4Network(net)
    for net in (
        "192.0.0.0/24",  # protocols; earlier Pythons know parts of it only
        "168.63.129.16/32",  # the host below machines of one cloud, public by its form
        "192.88.99.0/24",  # relays of 6to4
    )
)
_GLOBAL6 = ipaddress.IPv6Network("2000::/3")
"""All global unicast addresses that are given out."""
_SPECIAL6 = tuple(
    ipaddress.IPv6Network(net)
    for net in (
        "2001::/23",  # protocols, Teredo among them, which carries an IPv4 address
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which carries an IPv4 address
        "3fff::/20",  # documentation
    )
)
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
"""Carries the IPv4 address to which a gateway passes on; in networks without IPv4 all names resolve to these."""
_NUMBER = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)\Z", re.IGNORECASE)
_QUAD = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!\Z)|\Z)){4}", re.ASCII)


def is_public(address: str) -> bool:
    """Whether an IP address is one that anybody in the internet can reach.

    Args:
        address: as a resolver gives it. What is no address, or one with a scope, is not public.
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    return _public4(ip) if isinstance(ip, IPv4Address) else _public6(ip)


def is_loopback(address: str) -> bool:
    """Whether an IP address is this machine's own, and of no network."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def is_plain(host: str) -> bool:
    """Whether a host is a name, or an IP address in the one form that everybody reads alike.

    Numbers such as 2130706433, 0x7f.1 or 0177.0.0.1 are addresses to some resolvers only.
    """
    if ":" in host:
        return True
    last = host.rstrip(".").rpartition(".")[2]
    return not _NUMBER.match(last) or _QUAD.fullmatch(host) is not None


def _public4(ip: IPv4Address) -> bool:
    special = ip.is_multicast or ip.is_reserved or any(ip in net for net in _SPECIAL4)
    return ip.is_global and not special


def _public6(ip: IPv6Address) -> bool:
    if ip.scope_id is not None:
        return False
    if ip in _NAT64:
        return _public4(IPv4Address(int(ip) & 0xFFFFFFFF))
    # an IPv4 address that is written as IPv6 is outside of what is given out, so it is not public either
    return ip in _GLOBAL6 and ip.is_global and not any(ip in net for net in _SPECIAL6)
