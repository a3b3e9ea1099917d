"""Reminders for invoices that are due."""

from .notify import Mailer


def text_of(invoice, fee):
    return f"Invoice {invoice.number} is due, with a fee of {fee}."


def remind(mailer: Mailer, invoice, today):
    fee = late_fee(<CURSOR:>
    mailer.send(invoice.customer.mail, "Reminder", text_of(invoice, fee))
