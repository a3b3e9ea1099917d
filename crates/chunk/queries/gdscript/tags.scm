; The class that a file is.
((class_name_statement) @definition.class
  (#set! definition.reach "next"))
(class_definition) @definition.class
(function_definition) @definition.function
(constructor_definition "_init" @name) @definition.constructor
(signal_statement) @definition.field
(const_statement) @definition.constant
(variable_statement) @definition.field
(enum_definition name: (_) @name body: (_) @body) @definition.enum
(enumerator left: (identifier) @name) @definition.constant

; References.
(call . (identifier) @reference.call)
(attribute_call . (identifier) @reference.call)
(extends_statement (type (identifier) @reference.base))
(type (identifier) @reference.type)
(type (subscript (identifier) @reference.type))
(subscript_arguments (identifier) @reference.type)
