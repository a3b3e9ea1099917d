((import) @import @import.path (#set! import.words "import"))
