"""Invoices, as they are sent."""

from ledger.money import Money


class InvoiceExport:
    """Writes the invoices of a month."""

    def __init__(self, folder, month):
        self.folder = folder
        self.month = month
        self.rows = []

    def collect(self, ledger):
        """All bookings of the month, the oldest first."""
        for booking in ledger.bookings(self.month):
            if booking.is_cancelled:
                continue
            self.rows.append(booking)
        self.rows.sort(key=lambda it: it.day)
        return self

    def open_file(self, name, mode="rb"):
        """Opens a file of the export, which is below its folder."""
        if mode not in {"r", "rt", "rb"}:
            raise ValueError("files of an export can only be read")
        path = self.folder / name
        <CURSOR: ledger/statements.py:"reader = self.compressed_reader(path, mode)">

    def total(self):
        """The sum of all rows."""
        amount = Money(0)
        for booking in self.rows:
            amount += booking.amount
        return amount
