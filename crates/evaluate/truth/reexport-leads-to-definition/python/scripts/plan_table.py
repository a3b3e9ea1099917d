"""Prints a plan as a table of plan_rows: plan_rows of the old format."""


def plan_rows(text, columns):
    rows = [line.split(";") for line in text.splitlines()]
    return [[row[column] for column in columns] for row in rows]


def print_rows(text):
    for row in plan_rows(text, (0, 2)):
        print(*row)
