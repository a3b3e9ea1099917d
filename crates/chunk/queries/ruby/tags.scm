; Definitions. A method in a class becomes one by code; in a module it stays a function.
(module) @definition.module
(class) @definition.class
(singleton_method object: (constant) @qualifier) @definition.method
(singleton_method) @definition.method
(method) @definition.function
(assignment left: (constant) @name) @definition.constant
((call
  !receiver method: (identifier) @_attr arguments: (argument_list (simple_symbol) @name @definition.field))
  (#any-of? @_attr "attr_reader" "attr_accessor" "attr_writer"))

; References.
(call method: [(identifier) (constant)] @reference.call)
(call receiver: [(constant) (scope_resolution)] @reference.type)
(superclass (_) @reference.base)
((call
  !receiver
  method: (identifier) @_include arguments: (argument_list [(constant) (scope_resolution)] @reference.base))
  (#any-of? @_include "include" "extend" "prepend"))
