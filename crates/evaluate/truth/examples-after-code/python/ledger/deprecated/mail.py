"""Mail as it was composed and sent before."""

import subprocess


def compose_mail(recipient, subject, body):
    return f"To: {recipient}\nSubject: {subject}\n\n{body}"


def send_mail(mail):
    subprocess.run(["sendmail", "-t"], input=mail, text=True, check=True)
