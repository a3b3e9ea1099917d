((command command_name: (command_name) @_import command_elements: (command_elements (generic_token) @import.module .))
  @import
  (#any-of? @_import "Import-Module" "using"))
((command (command_invokation_operator) @_dot (command_name_expr (command_name) @import.module)) @import
  (#eq? @_dot "."))
