"""How things are shown."""


def format_amount(money, *, sign=False, grouping="."):
    """`1234.5` → `1.234,50`."""
    whole, cents = divmod(round(abs(money.amount) * 100), 100)
    text = f"{whole:,}".replace(",", grouping) + f",{cents:02}"
    return ("-" if money.amount < 0 else "+" if sign else "") + text
