"""Accounts and the postings between them."""

from dataclasses import dataclass, field
from datetime import date

from .money import Money


@dataclass
class Posting:
    debit: str
    credit: str
    amount: Money
    booked_on: date
    text: str = ""


@dataclass
class Account:
    number: str
    title: str
    postings: list = field(default_factory=list)

    def balance(self):
        total = Money(0)
        for posting in self.postings:
            if posting.debit == self.number:
                total = total + posting.amount
            else:
                total = total - posting.amount
        return total

    def statement(self, first, last):
        """Postings between two days, both included, oldest first."""
        chosen = [it for it in self.postings if first <= it.booked_on <= last]
        return sorted(chosen, key=lambda it: it.booked_on)


class ChartOfAccounts:
    def __init__(self):
        self._accounts = {}

    def open(self, number, title):
        if number in self._accounts:
            raise KeyError(f"account {number} is open already")
        self._accounts[number] = Account(number, title)
        return self._accounts[number]

    def find(self, number):
        return self._accounts.get(number)

    def __iter__(self):
        return iter(sorted(self._accounts.values(), key=lambda it: it.number))
