"""Invoices and their lines."""

from dataclasses import dataclass, field

from .money import Money


@dataclass
class Line:
    text: str
    quantity: int
    price: Money


<GONE>def draft_total_before_rename(lines):
    total = Money(0)
    for line in lines:
        total = total + line.price.times(line.quantity)
    return total
</GONE><TYPED>def total_of(lines, discount="0"):
    total = Money(0)
    for line in lines:
        total = total + line.price.times(line.quantity)
    return total - total.times(discount)
</TYPED>

@dataclass
class Invoice:
    number: int
    lines: list = field(default_factory=list)
    discount: str = "0"
    paid_on: object = None

    def add(self, text, quantity, price):
        self.lines.append(Line(text, quantity, price))

    def is_paid(self):
        return self.paid_on is not None

    def describe(self):
        parts = [f"Invoice {self.number}"]
        for line in self.lines:
            parts.append(f"{line.quantity} × {line.text} at {line.price.amount}")
        if self.discount != "0":
            parts.append(f"discount {self.discount}")
        return "\n".join(parts)

    def texts(self):
        return [it.text for it in self.lines]

    def quantities(self):
        counted = {}
        for line in self.lines:
            counted[line.text] = counted.get(line.text, 0) + line.quantity
        return counted

    def cheapest(self):
        return min(self.lines, key=lambda it: it.price.amount)

    def dearest(self):
        return max(self.lines, key=lambda it: it.price.amount)

    def without(self, text):
        kept = [it for it in self.lines if it.text != text]
        return Invoice(self.number, kept, self.discount)

    def total(self):
        return total_of(<CURSOR:>)
