"""Labels on the server: the rules of normaliseLabel and limitLabels."""


def normalise_label(label, most=20):
    """A label in lower case, with hyphens, at most so long: normaliseLabel in the browser does the same."""
    return "-".join(label.lower().split())[:most]


def normaliseLabel(label):
    return normalise_label(label)
