"""Which addresses are public, and which hosts are written as everybody reads them."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from easel_app.rubrics.tools.addresses import is_plain, is_public

PRIVATE = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "100.100.100.200",  # metadata of a cloud
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "100::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",  # Teredo
    "2001:db8::1",
    "2002:7f00:1::1",
    "3fff::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "2606:4700::1%eth0",
    "fec0::1",
    "ff02::1",
    "localhost",
    "",
    "1.2.3",
    "0177.0.0.1",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_what_is_not_of_the_public_internet_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "64:ff9b::808:808"])
def test_what_everybody_can_reach_is_public(address: str) -> None:
    assert is_public(address)


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_is_no_more_public_however_it_is_carried(address: ipaddress.IPv4Address) -> None:
    number = int(address)
    assert not is_public(str(ipaddress.IPv6Address((0xFFFF << 32) | number)))
    assert not is_public(str(ipaddress.IPv6Address((0x2002 << 112) | (number << 80) | 1)))
    nat64 = ipaddress.IPv6Address((0x64FF9B << 96) | number)
    assert is_public(str(nat64)) == is_public(str(address))


@pytest.mark.parametrize("host", ["2130706433", "0x7f000001", "0x7f.1", "127.1", "0177.0.0.1", "1.2.3.4.", "1.2.3.256"])
def test_numbers_that_only_some_resolvers_read_are_not_plain(host: str) -> None:
    assert not is_plain(host)


@pytest.mark.parametrize(
    "host", ["example.org", "1.2.3.4", "7zip.example", "a1.b2", "::1", "xn--bcher-kva.example", "x."]
)
def test_names_and_usual_addresses_are_plain(host: str) -> None:
    assert is_plain(host)
