(pp_include file: (string) @import.module) @import
(pp_include_lib file: (string) @import.module) @import
(import_attribute module: (atom) @import.module funs: (fa fun: (atom) @import.name)) @import
