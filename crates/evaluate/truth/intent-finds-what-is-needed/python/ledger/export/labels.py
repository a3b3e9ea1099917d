"""What stands above a column."""


def label_of(column):
    return column.replace("_", " ").title()
