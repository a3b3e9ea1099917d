; All symbols are in the cells.
