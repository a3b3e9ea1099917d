; Definitions. A function in a class becomes a method, `__init__` its constructor.
(class_definition) @definition.class
(function_definition) @definition.function
(decorated_definition definition: (_) @inner) @outer
(lambda body: (_) @local)

; Variables; those of functions are dropped.
(class_definition
  body: (block (expression_statement (assignment left: (identifier) @name) @definition.field)))
(expression_statement (assignment left: (identifier) @name) @definition.constant)
(type_alias_statement left: (type) @name) @definition.type

; References.
(call function: (_) @reference.call)
(decorator (identifier) @reference.call)
(decorator (attribute) @reference.call)
(class_definition superclasses: (argument_list [(identifier) (attribute) (subscript)] @reference.base))
(type [(identifier) (attribute)] @reference.type)
(type (generic_type (identifier) @reference.type))
