; JavaScript and TypeScript.

; Definitions. A variable with a function as its value is a function.
(class_declaration) @definition.class
(function_declaration) @definition.function
(generator_function_declaration) @definition.function
(method_definition) @definition.method
(variable_declarator value: (arrow_function body: (_) @body)) @definition.function
(variable_declarator value: (function_expression body: (_) @body)) @definition.function
(variable_declarator value: (class body: (_) @body)) @definition.class
(assignment_expression
  left: (member_expression) @name right: (arrow_function body: (_) @body)) @definition.function
(assignment_expression
  left: (member_expression) @name right: (function_expression body: (_) @body)) @definition.function
(pair key: (property_identifier) @name value: (arrow_function body: (_) @body)) @definition.method
(pair key: (property_identifier) @name value: (function_expression body: (_) @body)) @definition.method
(variable_declarator name: (identifier)) @definition.constant

; References, and scopes of local variables.
(lexical_declaration (variable_declarator) @inner) @outer
(variable_declaration (variable_declarator) @inner) @outer
(expression_statement (assignment_expression) @inner) @outer
(export_statement declaration: (_) @inner) @outer
(arrow_function body: (_) @local)
(function_expression body: (_) @local)

; References.
(call_expression function: [(identifier) (member_expression)] @reference.call)
(new_expression constructor: [(identifier) (member_expression)] @reference.type)
