(include_directive filenames: (list (word) @import.module)) @import
