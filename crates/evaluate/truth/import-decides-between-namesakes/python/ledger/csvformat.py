"""Account statements as CSV."""

import csv


class Exporter:
    """Writes statements; an Exporter writes its header at the first row."""

    def __init__(self, stream, delimiter=";"):
        self.writer = csv.writer(stream, delimiter=delimiter)
        self.wrote_header = False

    def add(self, account, first, last):
        if not self.wrote_header:
            self.writer.writerow(["account", "date", "text", "amount"])
            self.wrote_header = True
        for posting in account.statement(first, last):
            self.writer.writerow([account.number, posting.booked_on, posting.text, posting.amount.amount])
