; Definitions. A type is a constant that holds one.
(variable_declaration . (identifier) @name (struct_declaration) @body (#set! body.opener "{")) @definition.class
(variable_declaration . (identifier) @name (union_declaration) @body (#set! body.opener "{")) @definition.class
(variable_declaration . (identifier) @name (opaque_declaration) @body (#set! body.opener "{")) @definition.class
(variable_declaration . (identifier) @name (enum_declaration) @body (#set! body.opener "{")) @definition.enum
(variable_declaration . (identifier) @name (error_set_declaration) @body (#set! body.opener "{"))
  @definition.enum
(variable_declaration . (identifier) @name) @definition.constant
; A function that returns a type is a generic type; its body holds the members.
(function_declaration name: (_) @name type: (builtin_type) @_type body: (_) @body (#eq? @_type "type"))
  @definition.class
(function_declaration) @definition.function
(test_declaration (string) @name) @definition.function
(container_field name: (identifier)) @definition.field
(error_set_declaration (identifier) @name @definition.constant)

; References.
(call_expression function: (_) @reference.call)
(parameter type: [(identifier) (field_expression)] @reference.type)
(container_field type: [(identifier) (field_expression)] @reference.type)
(function_declaration type: [(identifier) (field_expression)] @reference.type)
(error_union_type ok: [(identifier) (field_expression)] @reference.type)
(pointer_type (identifier) @reference.type)
(nullable_type (identifier) @reference.type)
(struct_initializer . (identifier) @reference.type)
