"""Amounts that are paid in coins."""


def in_coins(amount, smallest=5):
    """The nearest amount that coins can pay."""
    return smallest * round(amount / smallest)
