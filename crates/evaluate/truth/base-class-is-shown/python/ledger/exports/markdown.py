"""Accounts as Markdown tables."""

from .base import Export


class MarkdownExport(Export):
    extension = "md"

    def header(self, account):
        <CURSOR: ledger/exports/base.py:Export>
