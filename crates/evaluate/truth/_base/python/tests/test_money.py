from decimal import Decimal

import pytest

from ledger.money import CurrencyMismatch, Money


def test_amounts_of_one_currency_add_up():
    assert Money("1.10") + Money("2.20") == Money("3.30")


def test_currencies_do_not_mix():
    with pytest.raises(CurrencyMismatch):
        Money(1, "EUR") + Money(1, "USD")


def test_halves_are_rounded_to_even():
    assert Money("0.125").rounded().amount == Decimal("0.12")
    assert Money("0.135").rounded().amount == Decimal("0.14")
