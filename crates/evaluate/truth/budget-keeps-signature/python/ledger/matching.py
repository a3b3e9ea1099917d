"""Finds the invoice that a bank transfer pays."""

import re

NUMBER = re.compile(r"\b(?:RE|INV)[- ]?(\d{4,8})\b", re.IGNORECASE)


def match_transfer(transfer, open_invoices, *, tolerance="0.02", by_name=True):
    """Returns (invoice, how) for a transfer, or (None, "") when nothing fits."""
    numbers = [int(it) for it in NUMBER.findall(transfer["text"])]
    by_number = {invoice.number: invoice for invoice in open_invoices}
    for number in numbers:
        if number in by_number:
            invoice = by_number[number]
            difference = abs(float(invoice.total.amount) - float(transfer["amount"]))
            if difference <= float(tolerance):
                return invoice, "number"
            if difference <= 0.02 * float(invoice.total.amount):
                return invoice, "number, amount differs"
    exact = []
    for invoice in open_invoices:
        if float(invoice.total.amount) == float(transfer["amount"]):
            exact.append(invoice)
    if len(exact) == 1:
        return exact[0], "amount"
    if by_name:
        words = set(transfer["text"].lower().split())
        best, most = None, 0
        for invoice in exact or open_invoices:
            known = set(invoice.customer.name.lower().split())
            common = len(words & known)
            if common > most:
                best, most = invoice, common
        if best is not None and most >= 2:
            return best, "name"
    for invoice in sorted(exact, key=lambda it: it.due_on):
        if invoice.due_on <= transfer["date"]:
            return invoice, "oldest of that amount"
    candidates = []
    for first in open_invoices:
        for second in open_invoices:
            if first.number >= second.number:
                continue
            both = float(first.total.amount) + float(second.total.amount)
            if abs(both - float(transfer["amount"])) <= float(tolerance):
                candidates.append((first, second))
    if len(candidates) == 1:
        return candidates[0][0], "two at once"
    return None, ""
