"""Writes statements as camt.053."""

from ledger.csvio import read_rows
from xml.etree import ElementTree
<CURSOR: ledger/exports/mt940_export.py; ledger/exports/ofx_export.py>


def write_statement(stream, rows):
    root = ElementTree.Element("Document")
    for row in rows:
        amount = Decimal(row["amount"]).quantize(CENT, rounding=ROUND_HALF_EVEN)
        ElementTree.SubElement(root, "Ntry").text = str(amount)
    ElementTree.ElementTree(root).write(stream)
