"""Statements in the format of money programs."""

import re

from ..money import Money
from .base import Importer

FIELD = re.compile(r"<(\w+)>([^<]*)")


class OfxImporter(Importer):
    suffix = ".ofx"

    def read(self, stream):
        <CURSOR: ledger/importers/camt.py:CamtImporter; ledger/importers/mt940.py:Mt940Importer; ledger/importers/base.py:Importer>
