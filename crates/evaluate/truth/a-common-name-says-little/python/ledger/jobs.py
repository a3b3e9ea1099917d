"""Things that are done at night."""


class BackupJob:
    name = "backup"

    def run(self, now):
        return f"{self.name} at {now}"


class ReportJob:
    name = "report"

    def run(self, now):
        return f"{self.name} at {now}"


class CleanupJob:
    name = "cleanup"

    def run(self, now):
        return f"{self.name} at {now}"
