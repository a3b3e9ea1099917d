"""Flows text into columns."""


def linebreak(words, width):
    """Splits words so that no row is wider than `width`."""
    rows, row = [], ""
    for word in words:
        if row and len(row) + 1 + len(word) > width:
            rows.append(row)
            row = word
        else:
            row = f"{row} {word}".strip()
    return rows + [row]
