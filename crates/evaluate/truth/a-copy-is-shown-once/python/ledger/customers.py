"""Customers."""

from .phone import normalise_phone


class Customer:
    def __init__(self, name, phone):
        self.name = name
        self.phone = normalise_phone(<CURSOR:>)
