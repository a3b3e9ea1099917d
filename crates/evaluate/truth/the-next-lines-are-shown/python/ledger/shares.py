"""Who owns how much."""


def far_above(values):
    best = None
    for value in values:
        if best is None or value > best:
            best = value
    return best


def medians(columns):
    found = []
    for column in columns:
        ordered = sorted(column)
        found.append(ordered[len(ordered) // 2])
    return found


def spread(values):
    if not values:
        return 0
    return max(values) - min(values)


class Shares:
    def __init__(self, owners):
        self.owners = owners

    def largest(self):
        return max(self.owners, key=lambda it: it.part)

    def smallest(self):
        return min(self.owners, key=lambda it: it.part)

    def before_the_last(self):
        ordered = sorted(self.owners, key=lambda it: it.part)
        return ordered[-2] if len(ordered) > 1 else None

    def table(self):
        rows = []
        total = sum(it.part for it in self.owners)
        for owner in self.owners:
            name = owner.name
            <CURSOR:>
            if share < 0.01:
                continue
            if name is None:
                name = "unknown"
            rows.append((name, share))
        rows.sort(key=lambda it: -it[1])
        return rows

    def as_text(self):
        lines = []
        for name, share in self.table():
            lines.append(f"{name:<30} {share:6.2%}")
        lines.append("-" * 37)
        lines.append(f"{len(self.owners)} owners")
        return "\n".join(lines)


def far_below(values):
    backwards = []
    for value in values:
        backwards.insert(0, value)
    return backwards
