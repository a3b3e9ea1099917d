; A file is a module.
((module_attribute name: (atom) @name) @definition.module
  (#set! definition.reach "next"))
(fun_decl clause: (function_clause name: (atom) @name body: (clause_body) @body)) @definition.function
(pp_define lhs: (macro_lhs name: (_) @name)) @definition.macro
(record_decl name: (atom) @name) @definition.class
(record_decl fields: (record_field name: (atom) @name) @definition.field)
(type_alias name: (type_name name: (atom) @name)) @definition.type
(opaque name: (type_name name: (atom) @name)) @definition.type
(callback fun: (atom) @name) @definition.method

; References.
(call expr: (atom) @reference.call)
(record_name name: (atom) @reference.type)
(macro_call_expr name: (var) @reference.call)
(behaviour_attribute name: (atom) @reference.base)
