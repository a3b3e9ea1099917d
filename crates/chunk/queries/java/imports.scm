(import_declaration [(identifier) (scoped_identifier)] @import.path .) @import
(import_declaration (scoped_identifier) @import.module (asterisk) @import.name) @import
