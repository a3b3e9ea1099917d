"""The monthly report on sales for the tax office."""

from .accounts import ChartOfAccounts
from .money import Money


def monthly_rows(chart: ChartOfAccounts, first, last):
    rows = []
    for account in chart:
        for posting in account.statement(first, last):
<ADDED>            net, tax = split_vat(posting.amount)
</ADDED>            rows.append((account.number, posting.booked_on, posting.amount))
    return rows


def header(first, last):
    return ["account", "date", "amount"]


def footer(rows):
    total = Money(0)
    for _, _, amount in rows:
        total = total + amount
    return ["total", "", total]


def title(first, last):
    """The title of the report."""
    return f"Sales from {first:%d.%m.%Y} to {last:%d.%m.%Y}"


def sections(chart, first, last):
    """The report in three sections."""
    rows = monthly_rows(chart, first, last)
    yield title(first, last)
    yield header(first, last)
    yield from rows
    yield footer(rows)


def as_text(chart, first, last, width=80):
    lines = []
    for section in sections(chart, first, last):
        text = str(section)
        lines.append(text[:width])
        <CURSOR:>
    return "\n".join(lines)
