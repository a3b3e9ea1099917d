"""How old debts are."""


class Ageing:
    """Sums by age in days: up to 30, up to 90, older."""

    def __init__(self, limits=(30, 90)):
        self.limits = limits
        self.buckets = [0] * (len(limits) + 1)

    def place_debt(self, days, cents):
        for place, limit in enumerate(self.limits):
            if days <= limit:
                self.buckets[place] += cents
                return
        self.buckets[-1] += cents

    def share_overdue(self):
        return sum(self.buckets[1:]) / max(1, sum(self.buckets))
