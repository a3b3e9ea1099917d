"""Closes a year."""

from . import ChartOfAccounts


def close_year(chart: ChartOfAccounts, year) -> ChartOfAccounts:
    """Carries the balances of a ChartOfAccounts over into a new ChartOfAccounts."""
    carried = ChartOfAccounts()
    for account in chart:
        carried.open(account.number, f"{account.title} {year + 1}")
    return carried
