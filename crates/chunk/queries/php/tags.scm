; Definitions.
(namespace_definition body: (_)) @definition.module
(namespace_definition name: (_) !body (#set! definition.reach "next")) @definition.module
(class_declaration) @definition.class
(trait_declaration) @definition.class
(interface_declaration) @definition.interface
(enum_declaration) @definition.enum
(enum_case) @definition.constant
(function_definition) @definition.function
(method_declaration) @definition.method
(property_declaration (property_element name: (variable_name (name) @name))) @definition.field
(const_declaration (const_element . (name) @name)) @definition.constant

; References.
(function_call_expression function: [(name) (qualified_name)] @reference.call)
(member_call_expression name: (name) @reference.call)
(nullsafe_member_call_expression name: (name) @reference.call)
(scoped_call_expression name: (name) @reference.call)
(scoped_call_expression scope: [(name) (qualified_name)] @reference.type)
(object_creation_expression [(name) (qualified_name)] @reference.type)
(named_type [(name) (qualified_name)] @reference.type)
(attribute [(name) (qualified_name)] @reference.type)
(base_clause [(name) (qualified_name)] @reference.base)
(class_interface_clause [(name) (qualified_name)] @reference.base)
(use_declaration [(name) (qualified_name)] @reference.base)
