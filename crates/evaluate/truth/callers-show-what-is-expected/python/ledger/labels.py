"""Labels for shelves, as text: a line with the amount, a line with the label."""

from .money import Money


def label_lines(label, money: Money, width):
    number = f"{money.amount} {money.currency}"
    return [label.center(width), number.center(width)]


def render_label(label, money: Money, width):
    return "\n".join(label_lines(label, money, width))
