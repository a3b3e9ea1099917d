"""Tables of late fees for the quarterly report."""

from .fees import late_fee


def fee_table(invoices, today):
    rows = []
    for invoice in invoices:
        days = (today - invoice.due_on).days
        fee = late_fee(invoice.total, days)
        rows.append((invoice.number, days, fee, late_fee(invoice.total, days, rate="0.05")))
    return rows


def late_fee_total(invoices, today):
    fees = [late_fee(it.total, (today - it.due_on).days) for it in invoices]
    return sum((it.amount for it in fees), 0)


def late_fee_history(invoice, days):
    """How the late fee of an invoice grew: late_fee on each day."""
    return [late_fee(invoice.total, day) for day in range(days)]
