((call target: (identifier) @_import (arguments . (alias) @import.module)) @import
  (#any-of? @_import "alias" "import" "require" "use"))
((call
  target: (identifier) @_import
  (arguments .
    (alias) @import.module (keywords (pair key: (keyword) @_as value: (alias) @import.alias)))) @import
  (#any-of? @_import "alias" "require") (#eq? @_as "as: "))
((call
  target: (identifier) @_import
  (arguments . (dot left: (alias) @import.module right: (tuple (alias) @import.name)))) @import
  (#any-of? @_import "alias" "import" "require" "use"))
