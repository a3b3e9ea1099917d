"""The list of customers for the office."""

from .accounts import ChartOfAccounts
from .paging import paginate


def rows(chart: ChartOfAccounts, number):
    page = paginate(list(chart), number, 20)
    for account in page.items:
        due = <CURSOR:>
        yield account.number, account.balance(), due
