; Definitions. A function in an `impl` or trait becomes a method.
(struct_item) @definition.class
(union_item) @definition.class
(enum_item) @definition.enum
(enum_variant) @definition.constant
(trait_item) @definition.interface
(impl_item type: (_) @name) @definition.implementation
(function_item) @definition.function
(function_signature_item) @definition.function
(mod_item body: (_)) @definition.module
((macro_definition) @definition.macro @body (#set! body.opener "{"))
(const_item) @definition.constant
(static_item) @definition.constant
(type_item) @definition.type
(associated_type) @definition.type
(field_declaration) @definition.field

; References. The arguments of a macro have no syntax tree, but a name before parentheses is a call there, too.
(call_expression function: (_) @reference.call)
(macro_invocation macro: (_) @reference.call)
(token_tree (identifier) @reference.call . (token_tree "(") (#set! reference.before "("))
(impl_item trait: (_) @reference.base)
(type_identifier) @reference.type
