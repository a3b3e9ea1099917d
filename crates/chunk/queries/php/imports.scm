((namespace_use_declaration) @import @import.path
  (#set! import.separator "\\") (#set! import.words "use function const"))
(require_expression [(string) (encapsed_string)] @import.module) @import
(require_once_expression [(string) (encapsed_string)] @import.module) @import
(include_expression [(string) (encapsed_string)] @import.module) @import
(include_once_expression [(string) (encapsed_string)] @import.module) @import

; require __DIR__ . '/x.php'
(require_expression (binary_expression right: (string) @import.module) (#set! import.prefix ".")) @import
(require_once_expression (binary_expression right: (string) @import.module) (#set! import.prefix ".")) @import
(include_expression (binary_expression right: (string) @import.module) (#set! import.prefix ".")) @import
(include_once_expression (binary_expression right: (string) @import.module) (#set! import.prefix ".")) @import
