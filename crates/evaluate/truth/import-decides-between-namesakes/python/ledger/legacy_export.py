"""The format of the tax office before 2019."""


class Exporter:
    def __init__(self, path, year):
        self.path = path
        self.year = year

    def export(self, accounts):
        with open(self.path, "w") as stream:
            for account in accounts:
                stream.write(f"{self.year};{account.number};{account.balance().amount}\n")
