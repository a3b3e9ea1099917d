"""Statements in the CAMT format of banks."""

from xml.etree import ElementTree

from ..money import Money
from .base import Importer


class CamtImporter(Importer):
    suffix = ".xml"

    def read(self, stream):
        tree = ElementTree.parse(stream)
        for entry in tree.iter("Ntry"):
            amount = Money(entry.findtext("Amt"), entry.find("Amt").get("Ccy"))
            yield self.transfer(entry.findtext("Dt"), entry.findtext("AddtlNtryInf"), amount)
