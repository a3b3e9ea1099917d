"""Stamps for letters."""


def postage(weight_grams, abroad=False):
    """The postage of a letter by its weight, for envelope and stamp."""
    stamp = 85 if weight_grams <= 20 else 160
    envelope = 2 if weight_grams <= 50 else 5
    return (stamp + envelope) * (2 if abroad else 1)
