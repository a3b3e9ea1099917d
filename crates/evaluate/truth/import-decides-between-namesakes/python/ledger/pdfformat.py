"""Invoices as PDF."""


class Exporter:
    """Draws one document after the other."""

    def __init__(self, stream, *, paper="A4", margin_mm=20):
        self.stream = stream
        self.paper = paper
        self.margin_mm = margin_mm

    def add(self, title, lines):
        self.stream.write(f"({title}) Tj\n".encode())
        for line in lines:
            self.stream.write(f"({line}) Tj\n".encode())

    def close(self):
        self.stream.write(b"%%EOF\n")
