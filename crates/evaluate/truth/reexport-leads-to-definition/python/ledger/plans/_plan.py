from dataclasses import dataclass
from datetime import date

from ..money import Money


@dataclass(frozen=True)
class Plan:
    """Pays the same amount each month."""

    start: date
    months: int
    monthly: Money
    bonus: Money | None = None
