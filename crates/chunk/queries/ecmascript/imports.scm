; import "x"; import a from "x"; import * as a from "x"; import { a as b } from "x"
(import_statement source: (string) @import.module) @import
(import_statement
  (import_clause (identifier) @import.alias)
  source: (string) @import.module (#set! import.name "default")) @import
(import_statement
  (import_clause (namespace_import (identifier) @import.alias))
  source: (string) @import.module) @import
(import_statement
  (import_clause (named_imports (import_specifier name: (_) @import.name !alias)))
  source: (string) @import.module) @import
(import_statement
  (import_clause (named_imports (import_specifier name: (_) @import.name alias: (_) @import.alias)))
  source: (string) @import.module) @import

; export * from "x"; export * as a from "x"; export { a as b } from "x"
(export_statement "*" source: (string) @import.module (#set! import.name "*")) @import
(export_statement (namespace_export (_) @import.alias) source: (string) @import.module) @import
(export_statement
  (export_clause (export_specifier name: (_) @import.name !alias))
  source: (string) @import.module) @import
(export_statement
  (export_clause (export_specifier name: (_) @import.name alias: (_) @import.alias))
  source: (string) @import.module) @import

; import("x"); require("x"); const a = require("x"); const { a, b: c } = require("x")
(call_expression function: (import) arguments: (arguments . (string) @import.module)) @import
((call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module)) @import
  (#eq? @_require "require"))
((variable_declarator
  name: (identifier) @import.alias
  value: (call_expression
    function: (identifier) @_require arguments: (arguments . (string) @import.module)) @import)
  (#eq? @_require "require"))
((variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @import.name)
  value: (call_expression
    function: (identifier) @_require arguments: (arguments . (string) @import.module)) @import)
  (#eq? @_require "require"))
((variable_declarator
  name: (object_pattern (pair_pattern key: (_) @import.name value: (identifier) @import.alias))
  value: (call_expression
    function: (identifier) @_require arguments: (arguments . (string) @import.module)) @import)
  (#eq? @_require "require"))
