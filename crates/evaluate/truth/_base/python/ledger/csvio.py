"""Reads bank statements that were exported as CSV."""

import csv
from datetime import datetime

COLUMNS = ("date", "text", "amount", "currency")


class BadRow(ValueError):
    def __init__(self, line, why):
        super().__init__(f"line {line}: {why}")
        self.line = line


def read_rows(stream, delimiter=";"):
    for line, row in enumerate(csv.DictReader(stream, delimiter=delimiter), start=2):
        missing = [it for it in COLUMNS if not row.get(it)]
        if missing:
            raise BadRow(line, "missing " + ", ".join(missing))
        yield {
            "date": datetime.strptime(row["date"], "%Y-%m-%d").date(),
            "text": row["text"].strip(),
            "amount": row["amount"].replace(",", "."),
            "currency": row["currency"],
        }
