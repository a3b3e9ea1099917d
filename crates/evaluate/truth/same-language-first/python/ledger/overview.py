"""The overview of all accounts."""

from .accounts import ChartOfAccounts


def overview(chart: ChartOfAccounts):
    lines = []
    for account in chart:
        lines.append(f"{account.title:<30} {format_amount(<CURSOR: ledger/formats.py:format_amount>)}")
    return "\n".join(lines)
