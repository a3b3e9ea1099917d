"""Wages and their taxes."""

from .money import Money

TAXES = {"church": "0.09", "income": "0.21"}


def taxes_of(wage, kinds):
    """The taxes on a wage, by kind, in cents."""
    taxes = {}
    for kind in kinds:
        taxes[kind] = int(wage.times(TAXES[kind]).amount * 100)
    return taxes


def net_wage(wage, kinds):
    cents = sum(taxes_of(wage, kinds).values())
    return wage - Money(cents).times("0.01")
