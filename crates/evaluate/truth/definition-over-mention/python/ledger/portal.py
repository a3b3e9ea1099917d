"""What customers see of their invoices."""

from .fees import late_fee
from .web import ok


def invoice_page(invoice, today):
    days = (today - invoice.due_on).days
    fee = late_fee(invoice.total, days)
    text = f"late fee: {fee.amount}" if fee.amount else "no late fee"
    return ok({"number": invoice.number, "late_fee": text, "late_fee_amount": str(fee.amount)})
