(import_directive source: (string) @import.module) @import
(import_directive import_name: (identifier) @import.name source: (string) @import.module) @import
