(use_declaration argument: (_) @import.path (#set! import.separator "::")) @import
(extern_crate_declaration name: (identifier) @import.module) @import
(mod_item name: (identifier) @import.module !body (#set! import.prefix "self::")) @import
