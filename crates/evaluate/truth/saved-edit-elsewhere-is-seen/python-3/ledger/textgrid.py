"""Lines of text of a fixed width."""


def fit(text, width=80):
    """Cuts or fills a line of text to a width."""
    return text[:width].ljust(width)


def as_lines(sections, width=80):
    lines = []
    for section in sections:
        text = str(section)
        lines.append(fit(text, width))
    return lines


def frame(lines, width=80):
    rule = "-" * width
    return "\n".join([rule, *lines, rule])
