"""Runs jobs."""


def run_due(jobs, now):
    """Runs each job whose time has come, and says which."""
    ran = []
    for name, job, spec_text in jobs:
        spec = CronSpec(spec_text)
        if spec.run(<CURSOR: ledger/crontab.py:CronSpec>):
            ran.append(name)
            job.run(now)
    return ran
