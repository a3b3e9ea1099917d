"""What things lose in worth."""

from dataclasses import dataclass
from datetime import date


@dataclass
class Asset:
    """A thing with a price, bought on a day, that serves for some years."""

    label: str
    cents: int
    bought_on: date
    years: int

    def worth_on(self, day):
        gone = (day - self.bought_on).days / 365
        return max(0, round(self.cents * (1 - gone / self.years)))
