; Only TypeScript.

; Definitions.
(abstract_class_declaration) @definition.class
(interface_declaration) @definition.interface
(enum_declaration) @definition.enum
(enum_assignment) @definition.constant
(enum_body name: (_) @name @definition.constant)
(type_alias_declaration) @definition.type
(module body: (_)) @definition.module
(internal_module body: (_)) @definition.module
(function_signature) @definition.function
(method_signature) @definition.method
(abstract_method_signature) @definition.method
(property_signature) @definition.field
(public_field_definition value: (arrow_function body: (_) @body)) @definition.method
(public_field_definition) @definition.field

; References.
(ambient_declaration (_) @inner) @outer
(expression_statement (internal_module) @inner) @outer
(export_statement (internal_module) @inner) @outer

; References.
(extends_clause value: [(identifier) (member_expression)] @reference.base)
(implements_clause (_) @reference.base)
(extends_type_clause type: (_) @reference.base)
(type_identifier) @reference.type
