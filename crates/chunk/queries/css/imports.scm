(import_statement (string_value) @import.module) @import
(import_statement (call_expression (arguments [(string_value) (plain_value)] @import.module))) @import
