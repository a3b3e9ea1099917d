"""What all exports have in common."""


class Export:
    extension = "txt"

    def __init__(self, stream, *, encoding="utf-8"):
        self.stream = stream
        self.encoding = encoding
        self.n_rows = 0

    def emit(self, text):
        self.stream.write(text.encode(self.encoding))
        self.n_rows += 1

    def header(self, account):
        raise NotImplementedError

    def row(self, posting):
        raise NotImplementedError
