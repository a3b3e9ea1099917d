((import_declaration) @import @import.path (#set! import.words "import"))
