"""Amounts of money, exact to the cent."""

from decimal import ROUND_HALF_EVEN, Decimal

CENT = Decimal("0.01")


class CurrencyMismatch(ValueError):
    """Two amounts of different currencies were combined."""


class Money:
    """An amount in one currency. Arithmetic never rounds; `rounded` does."""

    def __init__(self, amount, currency="EUR"):
        self.amount = Decimal(amount)
        self.currency = currency

    def __add__(self, other):
        self._check(other)
        return Money(self.amount + other.amount, self.currency)

    def __sub__(self, other):
        self._check(other)
        return Money(self.amount - other.amount, self.currency)

    def __eq__(self, other):
        return (self.amount, self.currency) == (other.amount, other.currency)

    def times(self, factor):
        return Money(self.amount * Decimal(factor), self.currency)

    def rounded(self):
        """Rounds half to even, as the tax office wants it."""
        return Money(self.amount.quantize(CENT, ROUND_HALF_EVEN), self.currency)

    def _check(self, other):
        if self.currency != other.currency:
            raise CurrencyMismatch(f"{self.currency} and {other.currency}")
