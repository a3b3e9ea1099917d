; Definitions.
(function_statement (function_name) @name (script_block) @body) @definition.function
(class_statement . (simple_name) @name @head) @definition.class
(enum_statement (simple_name) @name @head) @definition.enum
(enum_member (simple_name) @name) @definition.constant
(class_method_definition (simple_name) @name (script_block) @body) @definition.method
(class_property_definition (variable) @name) @definition.field

; References.
(command command_name: (command_name) @reference.call)
(invokation_expression (member_name (simple_name) @reference.call))
(class_statement . (simple_name) . (simple_name) @reference.base)
(type_name (type_identifier) @reference.type)
