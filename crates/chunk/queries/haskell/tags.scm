; Definitions. The signature before a function is its lead.
(data_type) @definition.class
(newtype) @definition.class
(data_constructor (record name: (_) @name)) @definition.constructor
(data_constructor (prefix name: (_) @name)) @definition.constructor
(newtype_constructor) @definition.constructor
(field name: (field_name) @name) @definition.field
(gadt_constructor name: (_) @name) @definition.constructor
(type_synomym) @definition.type
(type_family) @definition.type
(type_instance) @definition.type
(data_family) @definition.class
(pattern_synonym (equation synonym: (_) @name)) @definition.constructor
(class declarations: (_) @body) @definition.interface
(class) @definition.interface
(class_declarations (signature name: (variable) @name) @definition.method)
(instance declarations: (_) @body) @definition.implementation
(instance) @definition.implementation
(function name: (variable) @name match: (_) @body) @definition.function
(function (infix operator: (_) @name) match: (_) @body) @definition.function
(bind name: (variable) @name match: (_) @body) @definition.function

; References.
(apply function: [(variable) (qualified)] @reference.call)
(constructor) @reference.call
(name) @reference.type
