"""Grids of text: rows that are read, read again and written."""


def rows_of(text):
    """Rows of a text that was read."""
    return [row.split() for row in text.splitlines()]


def read_grid(path):
    """Reads rows; each row that is read has the same length."""
    with open(path) as stream:
        rows = rows_of(stream.read())
    width = max(len(row) for row in rows)
    return [row + [""] * (width - len(row)) for row in rows]
