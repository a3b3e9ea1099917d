; There are no imports; some tools read them from comments.
