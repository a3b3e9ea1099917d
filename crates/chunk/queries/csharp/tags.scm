; Definitions.
(namespace_declaration) @definition.module
(file_scoped_namespace_declaration name: (_) (#set! definition.reach "next")) @definition.module
(class_declaration) @definition.class
(struct_declaration) @definition.class
(record_declaration) @definition.class
(interface_declaration) @definition.interface
(enum_declaration) @definition.enum
(enum_member_declaration) @definition.constant
(constructor_declaration) @definition.constructor
(method_declaration (explicit_interface_specifier (_) @qualifier)) @definition.method
(method_declaration) @definition.method
(operator_declaration
  operator: [
    "!" "!=" "%" "&" "*" "+" "++" "-" "--" "/" "<" "<<" "<=" "==" ">" ">=" ">>" ">>>" "^" "false" "true" "|" "~"
  ] @name) @definition.method
(conversion_operator_declaration type: (_) @name) @definition.method
(destructor_declaration) @definition.method
(indexer_declaration "this" @name accessors: (_) @body) @definition.method
(indexer_declaration "this" @name value: (_) @body) @definition.method
(local_function_statement) @definition.function
(property_declaration accessors: (_) @body) @definition.field
(property_declaration) @definition.field
(event_declaration) @definition.field
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @definition.field
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @definition.field
(delegate_declaration) @definition.type

; References.
(invocation_expression function: (_) @reference.call)
(object_creation_expression type: (_) @reference.type)
(base_list (_) @reference.base)
(attribute name: (_) @reference.type)
(variable_declaration type: [(identifier) (generic_name) (qualified_name) (nullable_type) (array_type)] @reference.type)
(parameter type: [(identifier) (generic_name) (qualified_name) (nullable_type) (array_type)] @reference.type)
(property_declaration type: [(identifier) (generic_name) (qualified_name) (nullable_type) (array_type)] @reference.type)
(method_declaration returns: [(identifier) (generic_name) (qualified_name) (nullable_type) (array_type)] @reference.type)
(type_argument_list [(identifier) (generic_name) (qualified_name)] @reference.type)
(type_parameter_constraint type: (_) @reference.type)
(cast_expression type: [(identifier) (generic_name) (qualified_name)] @reference.type)
