; Definitions. Variables of functions are dropped.
(function_definition declarator: (_) @name) @definition.function
(declaration declarator: (function_declarator declarator: (identifier)) @name) @definition.function
(declaration
  declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier))) @name)
  @definition.function
(declaration
  declarator: (pointer_declarator
    declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier)))) @name)
  @definition.function
(declaration
  declarator: (pointer_declarator
    declarator: (pointer_declarator
      declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier))))) @name)
  @definition.function
(declaration declarator: (_) @name) @definition.constant
(type_definition
  type: (struct_specifier !name body: (_) @body) declarator: (_) @name) @definition.class
(type_definition
  type: (union_specifier !name body: (_) @body) declarator: (_) @name) @definition.class
(type_definition
  type: (enum_specifier !name body: (_) @body) declarator: (_) @name) @definition.enum
(type_definition declarator: (_) @name @definition.type)
(struct_specifier body: (_)) @definition.class
(union_specifier body: (_)) @definition.class
(enum_specifier body: (_)) @definition.enum
(enumerator) @definition.constant
(field_declaration declarator: (_) @name) @definition.field
(preproc_def value: (_)) @definition.macro
(preproc_function_def) @definition.macro

; In `typedef struct point {...} point_t;` the span of `point_t` is the whole definition, but it does not enclose `point`.
(type_definition declarator: (_) @inner) @outer

; References.
(call_expression function: (_) @reference.call)
(type_identifier) @reference.type
