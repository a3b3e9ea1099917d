((command name: (command_name) @_source . argument: (_) @import.module) @import
  (#any-of? @_source "source" "."))
