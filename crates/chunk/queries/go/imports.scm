(import_spec !name path: (_) @import.module) @import
(import_spec name: (package_identifier) @import.alias path: (_) @import.module) @import
(import_spec name: (blank_identifier) path: (_) @import.module) @import
(import_spec name: (dot) path: (_) @import.module (#set! import.name "*")) @import
