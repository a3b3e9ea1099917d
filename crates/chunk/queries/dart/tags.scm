; Definitions.
(class_declaration) @definition.class
(mixin_declaration) @definition.class
(extension_declaration) @definition.implementation
(extension_type_declaration name: (extension_type_name (identifier) @name)) @definition.class
(enum_declaration) @definition.enum
(enum_entry) @definition.constant
(type_alias . (type_identifier) @name) @definition.type
(function_declaration signature: (function_signature name: (_) @name)) @definition.function
(getter_declaration signature: (getter_signature name: (_) @name)) @definition.function
(setter_declaration signature: (setter_signature name: (_) @name)) @definition.function
(external_function_declaration signature: (function_signature name: (_) @name)) @definition.function
(top_level_variable_declaration
  (static_final_declaration_list (static_final_declaration name: (_) @name))) @definition.constant
(top_level_variable_declaration
  (initialized_identifier_list (initialized_identifier name: (_) @name))) @definition.constant

; Members. The last name of a constructor is its own.
(method_declaration signature: (method_signature (function_signature name: (_) @name))) @definition.method
(method_declaration signature: (method_signature (getter_signature name: (_) @name))) @definition.method
(method_declaration signature: (method_signature (setter_signature name: (_) @name))) @definition.method
(method_declaration signature: (method_signature (operator_signature operator: (_) @name))) @definition.method
(method_declaration
  signature: (method_signature (factory_constructor_signature name: (identifier) @name . (formal_parameter_list))))
  @definition.constructor
(method_declaration
  signature: (method_signature (constructor_signature name: (identifier) @name . (formal_parameter_list))))
  @definition.constructor
(declaration (constructor_signature name: (identifier) @name . (formal_parameter_list))) @definition.constructor
(declaration (function_signature name: (_) @name)) @definition.method
(declaration (getter_signature name: (_) @name)) @definition.method
(declaration (setter_signature name: (_) @name)) @definition.method
(declaration (initialized_identifier_list (initialized_identifier name: (_) @name))) @definition.field
(declaration (static_final_declaration_list (static_final_declaration name: (_) @name))) @definition.field

; References.
(call_expression function: [(identifier) (member_expression)] @reference.call)
(instantiation_expression function: [(identifier) (member_expression)] @reference.call)
(annotation name: (identifier) @reference.call)
(superclass type: (type (type_identifier) @reference.base))
(mixins (type (type_identifier) @reference.base))
(interfaces (type (type_identifier) @reference.base))
(type (type_identifier) @reference.type)
