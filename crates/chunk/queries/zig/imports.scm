((builtin_function (builtin_identifier) @_import (arguments . (string) @import.module)) @import
  (#eq? @_import "@import"))
((variable_declaration
  . (identifier) @import.alias
  (builtin_function (builtin_identifier) @_import (arguments . (string) @import.module)) @import)
  (#eq? @_import "@import"))
