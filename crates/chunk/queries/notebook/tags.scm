; What is known of a notebook is in its cells.
