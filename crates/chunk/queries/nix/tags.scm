; Functions, bindings of `let`, and attributes with more than a literal.
(binding attrpath: (attrpath (identifier) @name .) expression: (function_expression) @body) @definition.function
(let_expression (binding_set (binding attrpath: (attrpath (identifier) @name .)) @definition.constant))
(binding attrpath: (attrpath (identifier) @name .)
  expression: [(attrset_expression) (rec_attrset_expression) (let_expression)] @body) @definition.field
(binding attrpath: (attrpath (identifier) @name .) expression: (apply_expression)) @definition.field

; References.
(apply_expression function: (variable_expression name: (identifier) @reference.call))
(apply_expression function: (select_expression attrpath: (attrpath (identifier) @reference.call .)))
