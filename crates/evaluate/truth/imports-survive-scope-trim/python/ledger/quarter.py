"""The quarterly report."""

import textwrap
from datetime import date, timedelta
from decimal import Decimal

from .accounts import ChartOfAccounts
from .csvio import read_rows
from .money import Money
from .paging import paginate


def _unused_heading(text, width=60):
    lines = textwrap.wrap(text, width)
    rule = "=" * max((len(it) for it in lines), default=0)
    return "\n".join([rule, *lines, rule])


def _quarter_of(day):
    return (day.month - 1) // 3 + 1


def _first_day(year, quarter):
    return date(year, 3 * quarter - 2, 1)


def _last_day(year, quarter):
    if quarter == 4:
        return date(year, 12, 31)
    return _first_day(year, quarter + 1) - timedelta(days=1)


def _table(rows, widths):
    lines = []
    for row in rows:
        cells = [str(cell).ljust(width) for cell, width in zip(row, widths)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


class QuarterReport:
    """All accounts of a chart over one quarter."""

    def __init__(self, chart: ChartOfAccounts, year, quarter):
        self.chart = chart
        self.first = _first_day(year, quarter)
        self.last = _last_day(year, quarter)

    def rows(self):
        for account in self.chart:
            postings = account.statement(self.first, self.last)
            yield account.number, account.title, len(postings)

    def pages(self, size):
        rows = list(self.rows())
        number = 1
        while True:
            page = paginate(rows, number, size)
            yield page
            if not page.has_next():
                return
            number += 1

    def as_text(self):
        return _table(self.rows(), (8, 30, 6))

    def imported(self, stream):
        """Statements that were not booked yet."""
        known = {it.text for account in self.chart for it in account.postings}
        return [row for row in read_rows(stream) if row["text"] not in known]

    def busiest(self):
        counted = [(n, number) for number, _, n in self.rows()]
        counted.sort(reverse=True)
        return counted[:5]

    def quiet(self):
        return [number for number, _, n in self.rows() if n == 0]

    def compare(self, other):
        """Postings more than in another quarter, by account."""
        before = {number: n for number, _, n in other.rows()}
        return {number: n - before.get(number, 0) for number, _, n in self.rows()}

    def months(self):
        start = self.first
        while start <= self.last:
            end = start.replace(day=28) + timedelta(days=4)
            end = end - timedelta(days=end.day)
            yield start, end
            start = end + timedelta(days=1)

    def opening(self, number):
        account = self.chart.find(number)
        total = Money(0)
        for posting in account.postings:
            if posting.booked_on < self.first:
                total = total + posting.amount
        return total

    def tax_due(self, number, chart: ChartOfAccounts):
        """The tax on what was booked in the quarter."""
        total = Decimal(0)
        for posting in chart.find(number).statement(self.first, self.last):
            total += posting.amount.amount * Decimal("0.19")
            <CURSOR:>
        return total
