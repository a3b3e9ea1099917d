"""Reads mail."""

import email
import imaplib


class Mailbox:
    """A mailbox, and the mail in it."""

    def __init__(self, host, user, password):
        self.connection = imaplib.IMAP4_SSL(host)
        self.connection.login(user, password)
        self.selected = None

    def select_mail(self, folder="INBOX"):
        """Chooses the folder whose mail is read."""
        status, data = self.connection.select(folder)
        if status != "OK":
            raise OSError(f"no folder {folder}: {data}")
        self.selected = folder
        return int(data[0])

    def unread_mail(self):
        """Numbers of the mail that nobody has read."""
        status, data = self.connection.search(None, "UNSEEN")
        if status != "OK":
            raise OSError("cannot search for mail")
        return data[0].split()

    def fetch_mail(self, number):
        """One mail, parsed."""
        status, data = self.connection.fetch(number, "(RFC822)")
        if status != "OK":
            raise OSError(f"no mail {number}")
        return email.message_from_bytes(data[0][1])


class MailFilter:
    """Says which mail is wanted."""

    def __init__(self, senders, subjects, most_bytes=1_000_000):
        self.senders = senders
        self.subjects = subjects
        self.most_bytes = most_bytes

    def wants_mail(self, mail):
        """Whether a mail is from somebody known, or about something known."""
        sender = mail.get("From", "")
        subject = mail.get("Subject", "")
        if len(mail.as_bytes()) > self.most_bytes:
            return False
        known = any(it in sender for it in self.senders)
        return known or any(it in subject for it in self.subjects)

    def split_mail(self, mails):
        """Wanted mail and other mail."""
        wanted = [it for it in mails if self.wants_mail(it)]
        others = [it for it in mails if it not in wanted]
        return wanted, others


class MailArchive:
    """Keeps mail by year."""

    def __init__(self, storage):
        self.storage = storage
        self.counts = {}

    def keep_mail(self, mail, year):
        """Stores a mail under its year and number."""
        number = self.counts.get(year, 0) + 1
        self.counts[year] = number
        self.storage.save("mail", f"{year}/{number}", {"text": mail.as_string()})
        return number

    def mail_of(self, year):
        """All mail of a year, the oldest first."""
        numbers = range(1, self.counts.get(year, 0) + 1)
        return [self.storage.load("mail", f"{year}/{number}") for number in numbers]

    def forget_mail(self, before):
        """Drops mail of the years before one."""
        for year in [it for it in self.counts if it < before]:
            del self.counts[year]


class MailSearch:
    """Finds mail by words, people and days, in the mail that is kept."""

    def __init__(self, archive, years):
        self.archive = archive
        self.years = years

    def mail_with(self, words):
        """Mail that has all of some words, in any order and any case."""
        wanted = [it.lower() for it in words]
        found = []
        for year in self.years:
            for mail in self.archive.mail_of(year):
                text = mail["text"].lower()
                if all(it in text for it in wanted):
                    found.append(mail)
        return found

    def mail_from(self, sender):
        """Mail of one sender, by the part before the at sign or by the whole address."""
        found = []
        for year in self.years:
            for mail in self.archive.mail_of(year):
                parsed = email.message_from_string(mail["text"])
                address = parsed.get("From", "")
                if address == sender or address.split("@")[0] == sender:
                    found.append(mail)
        return found

    def mail_between(self, first, last):
        """Mail of some days, both included; mail without a date is left out."""
        found = []
        for year in self.years:
            for mail in self.archive.mail_of(year):
                parsed = email.message_from_string(mail["text"])
                day = email.utils.parsedate_to_datetime(parsed.get("Date", "")).date()
                if first <= day <= last:
                    found.append(mail)
        return found


class MailThreads:
    """Puts mail together that answers other mail."""

    def __init__(self):
        self.parents = {}
        self.titles = {}

    def add_mail(self, mail):
        """Remembers what a mail answers."""
        number = mail.get("Message-ID")
        answers = mail.get("In-Reply-To")
        subject = mail.get("Subject", "")
        self.titles[number] = subject.removeprefix("Re: ").removeprefix("AW: ")
        if answers is not None:
            self.parents[number] = answers

    def root_of(self, number):
        """The mail with which a thread of mail began."""
        seen = set()
        while number in self.parents and number not in seen:
            seen.add(number)
            number = self.parents[number]
        return number

    def threads(self):
        """Threads of mail by their first mail, the longest thread first."""
        found = {}
        for number in self.titles:
            found.setdefault(self.root_of(number), []).append(number)
        return sorted(found.items(), key=lambda it: -len(it[1]))
