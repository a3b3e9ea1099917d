; COPY is not an import.
