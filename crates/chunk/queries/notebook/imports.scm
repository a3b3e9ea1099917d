; Imports are in the cells.
