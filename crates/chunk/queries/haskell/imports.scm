(import module: (_) @import.module !alias) @import
(import module: (_) @import.module alias: (_) @import.alias) @import
((import
  module: (_) @import.module names: (import_list name: (import_name variable: (_) @import.name))) @import
  (#not-contains? @import " hiding "))
((import
  module: (_) @import.module names: (import_list name: (import_name type: (_) @import.name))) @import
  (#not-contains? @import " hiding "))
