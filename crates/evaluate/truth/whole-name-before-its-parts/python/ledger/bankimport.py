"""Books what a bank sent."""

from .accounts import Posting
from .csvio import read_rows
from .money import Money


def import_statement(stream, account, contra):
    """Books each line of a statement, and returns how many there were."""
    n = 0
    for line in read_rows(stream):
        amount = Money(line["amount"], line["currency"])
        posting = Posting(account.number, contra, amount, line["date"], line["text"])
        account.postings.append(posting)
        n += 1
    return n
