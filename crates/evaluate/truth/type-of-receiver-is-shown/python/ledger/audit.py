"""What an auditor wants to see."""

from .accounts import Account
from .paging import Page


def cash_book(account: Account, year, page: Page):
    """Postings of the year, twenty a page."""
    entries = account.<CURSOR: ledger/accounts.py:Account>
