"""Totals of accounts."""


def total(accounts):
    """Adds up all accounts; one that is stored twice counts twice."""
    return sum(account.balance for account in accounts)


def wrong_totals(stored, accounts):
    """The accounts whose stored totals are wrong."""
    return [it for it in accounts if stored[it.name] != it.balance]
