; Definitions.
(class_declaration "enum") @definition.enum
(class_declaration "extension") @definition.implementation
(class_declaration) @definition.class
(protocol_declaration) @definition.interface
(enum_entry name: (_) @name) @definition.constant
(init_declaration "init" @name) @definition.constructor
(subscript_declaration "subscript" @name (computed_property) @body) @definition.method
(deinit_declaration "deinit" @name) @definition.method
(function_declaration) @definition.function
(protocol_function_declaration) @definition.method
(protocol_property_declaration) @definition.field
(property_declaration computed_value: (_) @body) @definition.field
(class_body (property_declaration) @definition.field)
(enum_class_body (property_declaration) @definition.field)
(property_declaration) @definition.constant
(typealias_declaration) @definition.type
(associatedtype_declaration) @definition.type
(lambda_literal) @local
(computed_property) @local

; References.
(call_expression . [(simple_identifier) (navigation_expression)] @reference.call)
(inheritance_specifier inherits_from: (_) @reference.base)
(type_identifier) @reference.type
