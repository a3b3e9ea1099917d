"""Receipts as text."""

from .money import Money


def amount_line(label, money: Money, width):
    number = f"{money.amount} {money.currency}"
    return label + number.rjust(width - len(label))


def render_receipt(<CURSOR: ledger/desk.py:"text, change = render_receipt">
