"""Pages of long lists."""

from math import ceil


class Page:
    def __init__(self, items, number, size, total):
        self.items = items
        self.number = number
        self.size = size
        self.total = total

    @property
    def last(self):
        return max(1, ceil(self.total / self.size))

    def has_next(self):
        return self.number < self.last


def paginate(items, number, size):
    first = (number - 1) * size
    return Page(items[first : first + size], number, size, len(items))
