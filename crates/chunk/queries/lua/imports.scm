((function_call
  name: (identifier) @_require arguments: (arguments . (string content: (_) @import.module))) @import
  (#any-of? @_require "require" "dofile"))
((assignment_statement
  (variable_list . name: (identifier) @import.alias)
  (expression_list .
    value: (function_call
      name: (identifier) @_require arguments: (arguments . (string content: (_) @import.module))) @import))
  (#eq? @_require "require"))
