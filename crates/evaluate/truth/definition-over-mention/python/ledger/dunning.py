"""Reminders for invoices that are due."""

from datetime import date

from .fees import late_fee


def reminder(invoice, mailer, today=None):
    today = today or date.today()
    days = (today - invoice.due_on).days
    fee = late_fee(<CURSOR: ledger/fees.py:late_fee>)
    mailer.send(invoice.customer.mail, "Reminder", f"Please pay {fee.amount}")
