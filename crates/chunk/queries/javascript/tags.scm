; Only JavaScript: TypeScript has other nodes for these.
(field_definition property: (_) @name value: (arrow_function body: (_) @body)) @definition.method
(field_definition property: (_) @name) @definition.field
(class_heritage [(identifier) (member_expression)] @reference.base)
