"""Amounts as people pay them."""


def to_cents(amount):
    """Rounds an amount to whole cents, half a cent up."""
    return int(amount * 100 + 0.5)
