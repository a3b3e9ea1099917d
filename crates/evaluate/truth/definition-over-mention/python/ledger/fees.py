"""Fees for customers who pay late."""

from .money import Money

GRACE_DAYS = 14


def late_fee(invoice_total, days_late, *, rate="0.09"):
    """The fee for paying `days_late` days after the due date, after a time of grace."""
    if days_late <= GRACE_DAYS:
        return Money(0, invoice_total.currency)
    yearly = invoice_total.times(rate)
    return yearly.times(days_late).times("0.00274").rounded()


def returned_debit_fee(bank_charge):
    return bank_charge + Money("5.00", bank_charge.currency)
