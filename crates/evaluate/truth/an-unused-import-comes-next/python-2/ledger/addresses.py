"""Addresses that come from outside."""

from urllib.parse import urlsplit


def address_stays_here(address, *, hosts, needs_tls=False):
    """Whether a reader who follows the address stays on one of the hosts."""
    parts = urlsplit(address.strip().replace("\\", "/"))
    if parts.scheme not in ("", "https" if needs_tls else "http", "https"):
        return False
    return not parts.netloc or parts.netloc in hosts
