"""Receipts of an account, as files in a folder."""

from pathlib import Path


class Receipts:
    """The receipts of one folder, each under its own name."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def max_age_of(self, name):
        """How many seconds a browser may keep a file."""
        return 3600 if name.endswith(".pdf") else 60

    def names(self):
        return sorted(it.name for it in self.folder.iterdir())

    def receipts_file(self, name):
        """One of the receipts."""
        max_age = self.max_age_of(name)
        return (self.folder / name).read_text(), max_age
