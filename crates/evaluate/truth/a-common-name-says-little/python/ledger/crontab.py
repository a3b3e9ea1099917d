"""When things are done."""


class CronSpec:
    """Five fields: minute, hour, day, month, weekday; `*` for any."""

    def __init__(self, text):
        self.fields = text.split()

    def run(self, now):
        values = (now.minute, now.hour, now.day, now.month, now.weekday())
        return all(field in ("*", str(value)) for field, value in zip(self.fields, values))
