"""What customers put aside."""

from .plans import Plan, plan_rows


def forecast(plan: Plan, until):
    total = 0
    for day, amount in plan_rows(<CURSOR: ledger/plans/_instalments.py:plan_rows>):
        if day > until:
            break
        total += amount.amount
    return total
