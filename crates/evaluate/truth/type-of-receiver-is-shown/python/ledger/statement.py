"""Statements of account in PDF: a statement of an account has pages and entries."""


class StatementPrinter:
    def __init__(self, account, year):
        self.account = account
        self.year = year

    def entries(self, page, per_page=20):
        first = page * per_page
        return self.account.entries[first : first + per_page]

    def pages(self, entries):
        return (len(entries) + 19) // 20
