"""Writes statements as OFX."""

from decimal import Decimal, ROUND_HALF_EVEN
from xml.etree import ElementTree

from ledger.money import CENT


def write_document(stream, rows):
    root = ElementTree.Element("OFX")
    for row in rows:
        amount = Decimal(row["amount"]).quantize(CENT, rounding=ROUND_HALF_EVEN)
        ElementTree.SubElement(root, "TRNAMT").text = str(amount)
    ElementTree.ElementTree(root).write(stream)
