; Definitions.
(class_definition) @definition.class
(object_definition) @definition.class
(trait_definition) @definition.interface
(enum_definition) @definition.enum
(simple_enum_case) @definition.constant
(full_enum_case) @definition.constant
(extension_definition parameters: (parameters (parameter type: (_) @name))) @definition.implementation
(function_definition) @definition.function
(function_declaration) @definition.function
(class_parameter) @definition.field
(template_body (val_definition pattern: (identifier) @name) @definition.field)
(template_body (var_definition pattern: (identifier) @name) @definition.field)
(val_definition pattern: (identifier) @name) @definition.constant
(var_definition pattern: (identifier) @name) @definition.constant
(val_declaration name: (identifier) @name) @definition.field
(given_definition) @definition.constant
(given_definition !name return_type: (_) @name) @definition.constant
(type_definition) @definition.type
(lambda_expression) @local

; References.
(call_expression function: (_) @reference.call)
(extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @reference.base)
(type_identifier) @reference.type
