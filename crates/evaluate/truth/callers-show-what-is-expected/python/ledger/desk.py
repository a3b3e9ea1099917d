"""The till."""

from .receipts import render_receipt


class Desk:
    def __init__(self, printer):
        self.printer = printer

    def close_sale(self, sale, paid):
        text, change = render_receipt(sale.lines, paid=paid, width=40)
        self.printer.print_lines(text.splitlines())
        return change
