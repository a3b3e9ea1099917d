"""Gift cards."""


def print_card(card, printer):
    code = barcode(<CURSOR context: ledger/barcode.py:barcode>)
    printer.print_lines([card.label, "".join(str(it) for it in code)])
