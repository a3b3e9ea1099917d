; Classes of R6 and of reference classes, with their methods; S4's classes, generics and methods.
((binary_operator lhs: (identifier) @name rhs: (call function: (_) @_class arguments: (_) @body)) @definition.class
  (#any-of? @_class "R6Class" "R6::R6Class" "setRefClass" "setClass"))
((call function: (_) @_class
  arguments: (arguments (argument value: (call
    arguments: (arguments (argument name: (identifier) @name value: (function_definition body: (_) @body))
      @definition.method)))))
  (#any-of? @_class "R6Class" "R6::R6Class" "setRefClass"))
((program (call function: (identifier) @_class arguments: (arguments . (argument value: (string) @name))) @definition.class)
  (#eq? @_class "setClass"))
((call function: (identifier) @_generic arguments: (arguments . (argument value: (string) @name))) @definition.function
  (#any-of? @_generic "setGeneric" "setMethod"))

; Functions and variables.
(binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "=" "<<-"]
  rhs: (function_definition body: (_) @body)) @definition.function
(program (binary_operator lhs: (identifier) @name operator: ["<-" "="]) @definition.constant)

; References.
(call function: (identifier) @reference.call)
(call function: (namespace_operator rhs: (identifier) @reference.call))
(call function: (extract_operator rhs: (identifier) @reference.call))
