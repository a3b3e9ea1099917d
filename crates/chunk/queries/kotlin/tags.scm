; Definitions. The body is the last child.
(class_declaration "interface") @definition.interface
(class_declaration (enum_class_body)) @definition.enum
(class_declaration) @definition.class
(object_declaration) @definition.class
(enum_entry (identifier) @name) @definition.constant
(secondary_constructor "constructor" @name) @definition.constructor
(function_declaration [(user_type) (nullable_type)] @qualifier name: (_)) @definition.function
(function_declaration) @definition.function
(class_parameter ["val" "var"] . (identifier) @name) @definition.field
(class_body (property_declaration (variable_declaration . (identifier) @name)) @definition.field)
(property_declaration
  [(user_type) (nullable_type)] @qualifier (variable_declaration . (identifier) @name)) @definition.constant
(property_declaration (variable_declaration . (identifier) @name)) @definition.constant
(type_alias type: (identifier) @name) @definition.type
(lambda_literal) @local
(anonymous_initializer (_) @local)
(getter) @local
(setter) @local

; References.
(call_expression . [(identifier) (navigation_expression)] @reference.call)
(delegation_specifier (user_type) @reference.base)
(constructor_invocation (user_type) @reference.base)
(user_type) @reference.type
