; Definitions. A variable with a function as its value is a function.
(function_declaration name: (method_index_expression)) @definition.method
(function_declaration) @definition.function
(assignment_statement
  (variable_list . name: (_) @name)
  (expression_list . value: (function_definition body: (_) @body))) @definition.function
(field name: (identifier) @name value: (function_definition)) @definition.method
(assignment_statement (variable_list name: (identifier) @name)) @definition.constant
(assignment_statement (variable_list name: (dot_index_expression) @name)) @definition.field
(variable_declaration (assignment_statement) @inner) @outer
(function_definition body: (_) @local)

; References.
(function_call name: (_) @reference.call)
