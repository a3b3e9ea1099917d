"""Keeps documents in SQLite."""

import json
import sqlite3
from contextlib import contextmanager

SCHEMA = """
create table if not exists documents (
    kind text not null,
    id text not null,
    body text not null,
    primary key (kind, id)
)
"""


class Storage:
    def __init__(self, path):
        self.connection = sqlite3.connect(path)
        self.connection.execute(SCHEMA)

    @contextmanager
    def transaction(self):
        try:
            yield self.connection
            self.connection.commit()
        except Exception:
            self.connection.rollback()
            raise

    def save(self, kind, key, body):
        with self.transaction() as connection:
            connection.execute(
                "insert or replace into documents values (?, ?, ?)",
                (kind, key, json.dumps(body)),
            )

    def load(self, kind, key):
        query = "select body from documents where kind = ? and id = ?"
        row = self.connection.execute(query, (kind, key)).fetchone()
        return json.loads(row[0]) if row else None

    def all(self, kind):
        query = "select body from documents where kind = ? order by id"
        return [json.loads(body) for (body,) in self.connection.execute(query, (kind,))]
