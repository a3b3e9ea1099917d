"""Value added tax."""

from .money import Money

RATES = {"standard": "0.19", "reduced": "0.07"}


def split_vat(gross, kind="standard"):
    """Splits a gross amount into (net, tax)."""
    factor = 1 / (1 + float(RATES[kind]))
    net = gross.times(str(round(factor, 10))).rounded()
    return net, gross - net
