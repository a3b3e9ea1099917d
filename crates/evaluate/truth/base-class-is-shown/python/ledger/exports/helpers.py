"""Helpers for exports of postings: header and row texts of an export."""


def header_text(account):
    return f"{account.number} {account.title}"


def row_text(posting, separator="\t"):
    fields = (posting.booked_on, posting.text, posting.amount.amount)
    return separator.join(str(it) for it in fields)
