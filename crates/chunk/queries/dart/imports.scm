(library_import (import_specification uri: (configurable_uri) @import.module)) @import
(library_import (import_specification uri: (configurable_uri) @import.module alias: (identifier) @import.alias)) @import
(library_import
  (import_specification uri: (configurable_uri) @import.module (combinator "show" (identifier) @import.name))) @import
(library_export uri: (configurable_uri) @import.module) @import
(part_directive uri: (uri) @import.module) @import
