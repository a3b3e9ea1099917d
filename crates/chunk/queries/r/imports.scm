((call function: (identifier) @_import arguments: (arguments . (argument value: [(identifier) (string)] @import.module)))
  @import
  (#any-of? @_import "library" "require" "requireNamespace" "loadNamespace" "source"))
