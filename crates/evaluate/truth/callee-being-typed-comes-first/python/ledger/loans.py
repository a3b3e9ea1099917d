"""Loans to customers."""

from .accounts import Account, ChartOfAccounts, Posting
from .interest import accrue
from .money import Money


def month_end(chart: ChartOfAccounts, account: Account, today):
    balance = account.balance()
    if balance == Money(0):
        return None
    charged = accrue(<CURSOR: ledger/interest.py:accrue>)
    posting = Posting(account.number, "8000", charged, today, "interest")
    account.postings.append(posting)
    return chart.find("8000")
