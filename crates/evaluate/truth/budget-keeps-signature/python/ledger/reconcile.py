"""Marks invoices as paid by what came in at the bank."""

from .csvio import read_rows
from .matching import match_transfer


def reconcile(stream, open_invoices):
    """Returns the transfers that fit no invoice."""
    left = []
    for transfer in read_rows(stream):
        invoice, how = match_transfer(<CURSOR: ledger/matching.py:match_transfer>)
        if invoice is None:
            left.append(transfer)
        else:
            invoice.paid_on = transfer["date"]
    return left
