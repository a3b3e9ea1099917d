; Definitions.
(create_table (object_reference) @name (column_definitions) @body) @definition.class
(create_table (object_reference) @name) @definition.class
(create_view . (_) (object_reference) @name (create_query) @body) @definition.class
(create_materialized_view (object_reference) @name) @definition.class
(create_function (object_reference) @name (function_body) @body) @definition.function
(create_function (object_reference) @name) @definition.function
(create_trigger . (_) (keyword_trigger) . (object_reference) @name) @definition.function
(create_type (object_reference) @name) @definition.type
(column_definition name: (_) @name) @definition.field

; References.
(relation (object_reference) @reference.type)
(insert (object_reference) @reference.type)
(update (relation (object_reference) @reference.type))
(column_definition (object_reference) @reference.type)
(invocation (object_reference) @reference.call)
