; Only C++ (these patterns come before those of C). A function in a class becomes a method, and one with the name
; of its class a constructor.

; Definitions.
(class_specifier body: (_)) @definition.class
(namespace_definition) @definition.module
(function_definition
  declarator: (function_declarator declarator: (qualified_identifier)) @name) @definition.method
(declaration
  declarator: (function_declarator
    declarator: [(destructor_name) (operator_name) (qualified_identifier)]) @name) @definition.function
(declaration
  declarator: (reference_declarator (function_declarator declarator: [(identifier) (operator_name)])) @name)
  @definition.function
(declaration declarator: (operator_cast) @name) @definition.method
(field_declaration
  declarator: (function_declarator declarator: [(field_identifier) (operator_name)]) @name) @definition.method
(field_declaration
  declarator: (pointer_declarator
    declarator: (function_declarator declarator: [(field_identifier) (operator_name)])) @name) @definition.method
(field_declaration
  declarator: (pointer_declarator
    declarator: (pointer_declarator
      declarator: (function_declarator declarator: [(field_identifier) (operator_name)]))) @name) @definition.method
(field_declaration
  declarator: (reference_declarator
    (function_declarator declarator: [(field_identifier) (operator_name)])) @name) @definition.method
(alias_declaration) @definition.type
(concept_definition) @definition.interface
(lambda_expression body: (_) @local)

(template_declaration
  [(class_specifier) (struct_specifier) (union_specifier) (function_definition) (declaration) (field_declaration)
   (alias_declaration) (concept_definition) (template_declaration)] @inner) @outer

; References.
(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @reference.base)
