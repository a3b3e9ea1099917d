"""What must be printed at the end of a year."""

from datetime import date

from .pdfformat import Exporter


def print_year(chart, year, stream):
    """One page an account, with its statement."""
    exporter = Exporter(<CURSOR: ledger/pdfformat.py:Exporter>)
    for account in chart:
        postings = account.statement(date(year, 1, 1), date(year, 12, 31))
        exporter.add(account.title, [it.text for it in postings])
