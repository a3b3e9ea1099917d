"""Closes invoices."""

from .state import State


def is_closed(invoice):
    return invoice.state in (State.<CURSOR: ledger/state.py:State>)
