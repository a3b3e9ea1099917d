"""Exchange rates."""

from .money import CurrencyMismatch, Money


class Rates:
    """Converts between currencies that do not mix otherwise."""

    def __init__(self, rates):
        self.rates = rates

    def convert(self, money, currency):
        if money.currency == currency:
            return money
        if currency not in self.rates:
            raise CurrencyMismatch(f"no rate for {currency}")
        return Money(money.times(self.rates[currency]).amount, currency)
