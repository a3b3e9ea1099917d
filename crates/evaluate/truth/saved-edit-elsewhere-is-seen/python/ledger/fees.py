"""Fees for invoices that are paid late."""

from .money import Money

PER_DAY = Money(2)


def days_late(invoice, today):
    return max(0, (today - invoice.due_on).days)


<REMOVED>def late_fee(invoice, today):
    return PER_DAY * days_late(invoice, today)
</REMOVED><ADDED>def overdue_charge(invoice, today, cap):
    """What a late invoice costs more, at most `cap`."""
    return min(cap, PER_DAY * days_late(invoice, today))
</ADDED>

def is_late(invoice, today):
    return days_late(invoice, today) > 0
