((apply_expression function: (variable_expression name: (identifier) @_import) argument: (path_expression) @import.module)
  @import
  (#any-of? @_import "import" "callPackage"))
((apply_expression
  function: (select_expression attrpath: (attrpath (identifier) @_import .)) argument: (path_expression) @import.module)
  @import
  (#eq? @_import "callPackage"))
(list_expression element: (path_expression) @import.module @import)
