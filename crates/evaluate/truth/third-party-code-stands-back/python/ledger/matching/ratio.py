"""How similar two names are."""


def similar_names(first, second):
    """How similar two names are, from 0 to 1: names that are similar have many letters in common."""
    common = sum(min(first.count(it), second.count(it)) for it in set(first))
    return 2 * common / max(1, len(first) + len(second))
