; Definitions.
(class_declaration) @definition.class
(record_declaration) @definition.class
(interface_declaration) @definition.interface
(annotation_type_declaration) @definition.interface
(enum_declaration) @definition.enum
(enum_constant) @definition.constant
(constructor_declaration) @definition.constructor
(compact_constructor_declaration) @definition.constructor
(method_declaration) @definition.method
(annotation_type_element_declaration) @definition.method
(field_declaration declarator: (_) @name) @definition.field
(constant_declaration declarator: (_) @name) @definition.constant
(lambda_expression body: (_) @local)

; References.
(method_invocation name: (_) @reference.call)
(superclass (_) @reference.base)
(type_list (_) @reference.base)
(annotation name: (_) @reference.type)
(marker_annotation name: (_) @reference.type)
(type_identifier) @reference.type
