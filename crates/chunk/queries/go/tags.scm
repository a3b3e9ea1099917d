; Definitions.
(function_declaration) @definition.function
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @qualifier))) @definition.method
(type_spec type: (struct_type (field_declaration_list) @body)) @definition.class
(type_spec type: (interface_type) @body (#set! body.opener "{")) @definition.interface
(type_spec) @definition.type
(type_alias) @definition.type
(method_elem) @definition.method
(field_declaration name: (_) @name) @definition.field
(const_spec name: (identifier) @name) @definition.constant
(var_spec name: (identifier) @name) @definition.constant

; A declaration of one thing belongs to it; one in parentheses belongs to all of them.
(type_declaration [(type_spec) (type_alias)] @inner) @outer
(const_declaration (const_spec) @inner) @outer
(var_declaration (var_spec) @inner) @outer
(func_literal body: (_) @local)

; References. An embedded type is a base.
(call_expression function: [(identifier) (selector_expression)] @reference.call)
(field_declaration !name type: (_) @reference.base)
(interface_type (type_elem [(type_identifier) (qualified_type)] @reference.base))
(type_identifier) @reference.type
