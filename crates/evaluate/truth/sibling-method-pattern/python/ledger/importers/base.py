"""What all importers have in common."""


class Importer:
    suffix = ""

    def transfer(self, day, text, amount):
        return {"date": day, "text": (text or "").strip(), "amount": amount}

    def accepts(self, name):
        return name.endswith(self.suffix)

    def read(self, stream):
        raise NotImplementedError
