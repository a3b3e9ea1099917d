; Definitions.
(object_type_definition (name) @name (fields_definition) @body) @definition.class
(object_type_definition (name) @name) @definition.class
(interface_type_definition (name) @name (fields_definition) @body) @definition.interface
(interface_type_definition (name) @name) @definition.interface
(input_object_type_definition (name) @name (input_fields_definition) @body) @definition.class
(input_object_type_definition (name) @name) @definition.class
(enum_type_definition (name) @name (enum_values_definition) @body) @definition.enum
(union_type_definition (name) @name) @definition.type
(scalar_type_definition (name) @name) @definition.type
(directive_definition (name) @name) @definition.macro
(object_type_extension (name) @name (fields_definition) @body) @definition.implementation
(interface_type_extension (name) @name (fields_definition) @body) @definition.implementation
(field_definition (name) @name) @definition.field
(input_fields_definition (input_value_definition (name) @name) @definition.field)
(enum_value_definition (enum_value (name) @name)) @definition.constant
(operation_definition (name) @name (selection_set) @body) @definition.function
(fragment_definition (fragment_name (name) @name) (selection_set) @body) @definition.function

; References.
(implements_interfaces (named_type (name) @reference.base))
(named_type (name) @reference.type)
(fragment_spread (fragment_name (name) @reference.call))
(directive (name) @reference.call)
