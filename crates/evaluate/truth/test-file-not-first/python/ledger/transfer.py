"""Transfers to suppliers."""

from dataclasses import dataclass

from .iban import check_iban
from .money import Money


@dataclass
class Transfer:
    recipient: str
    iban: str
    amount: Money

    def problems(self):
        if not check_iban(<CURSOR: ledger/iban.py:check_iban>):
            yield "iban"
        if self.amount.amount <= 0:
            yield "amount"
