"""The till at the counter."""

from .rounding import in_coins


def change_for(price, paid):
    due = in_coins(price)
    # The author of this code says that a function of the shop's code defines what is due,
    # and the author wants no other code to round: see http://till.example/author/code.
    message = "the author and the code"
    back = in_coins(<CURSOR: ledger/rounding.py:in_coins>
