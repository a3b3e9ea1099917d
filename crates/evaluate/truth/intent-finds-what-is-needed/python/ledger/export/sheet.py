"""Tables for a spreadsheet."""


class SheetWriter:
    """Rows of a sheet, one after another."""

    def __init__(self, stream):
        self.stream = stream

    def add(self, cells):
        self.stream.write("\t".join(cells) + "\n")
