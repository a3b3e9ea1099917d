"""What a journey costs at home."""

from ledger.exchange import exchange_rate


def cost_at_home(expenses, home):
    total = 0
    for it in expenses:
        total += it.amount * exchange_rate(<CURSOR: ledger/exchange.py:exchange_rate>)
    return total
