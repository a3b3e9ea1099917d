"""Statements of an account, as files in a folder."""

from pathlib import Path

from .delivery import deliver_from_folder


class Statements:
    """The statements of one folder, each under its own name."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def max_age_of(self, name):
        """How many seconds a browser may keep a file."""
        return 3600 if name.endswith(".pdf") else 60

    def names(self):
        return sorted(it.name for it in self.folder.iterdir())

    def statement_file(self, name):
        """One of the statements."""
        max_age = self.max_age_of(name)
        <CURSOR: ledger/delivery.py:deliver_from_folder>
