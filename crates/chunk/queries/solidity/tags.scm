; Definitions.
(contract_declaration) @definition.class
(interface_declaration) @definition.interface
(library_declaration) @definition.class
(struct_declaration) @definition.class
(struct_member) @definition.field
(enum_declaration) @definition.enum
(enum_value) @name @definition.constant
(event_definition) @definition.type
(error_declaration) @definition.type
(user_defined_type_definition) @definition.type
(function_definition) @definition.function
(modifier_definition) @definition.function
(constructor_definition "constructor" @name) @definition.constructor
(state_variable_declaration) @definition.field
(constant_variable_declaration) @definition.constant

; References.
(call_expression function: (expression (identifier) @reference.call))
(call_expression function: (expression (member_expression property: (identifier) @reference.call)))
(emit_statement name: (expression (identifier) @reference.call))
(revert_statement error: (expression (identifier) @reference.call))
(modifier_invocation (identifier) @reference.call)
(inheritance_specifier ancestor: (user_defined_type (identifier) @reference.base .))
(user_defined_type (identifier) @reference.type .)
(using_directive (type_alias (identifier) @reference.type))
