((call . (identifier) @_load arguments: (arguments . (string) @import.module)) @import
  (#any-of? @_load "preload" "load"))
(extends_statement (string) @import.module) @import
