"""Payees, and which of them are the same."""

from ledger.matching.ratio import similar_names


def similar_payees(payees, least=0.8):
    """Pairs of payees that are probably one, spelt twice."""
    pairs = ((a, b) for a in payees for b in payees if a.name < b.name)
    return [(a, b) for a, b in pairs if similar_names(a.name, b.name) >= least]
