"""Bookkeeping for small shops."""

from .accounts import Account, ChartOfAccounts
from .money import Money

__all__ = ["Account", "ChartOfAccounts", "Money"]
