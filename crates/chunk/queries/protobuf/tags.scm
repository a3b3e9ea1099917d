; Definitions.
(message (message_name) @name (message_body) @body) @definition.class
(enum (enum_name) @name (enum_body) @body) @definition.enum
(service (service_name) @name @head) @definition.interface
(rpc (rpc_name) @name) @definition.method
(field (identifier) @name) @definition.field
(map_field (identifier) @name) @definition.field
(oneof_field (identifier) @name) @definition.field
(enum_field (identifier) @name) @definition.constant

; References.
(message_or_enum_type (identifier) @reference.type .)
