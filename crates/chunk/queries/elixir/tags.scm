; Everything is a call; the callee decides what it defines.

; Definitions. A module with a struct is the struct: it has the module's name.
((call
  target: (identifier) @_def (arguments . (alias) @name) (do_block (call target: (identifier) @_struct)) @body)
  @definition.class
  (#eq? @_def "defmodule") (#any-of? @_struct "defstruct" "defexception"))
((call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body) @definition.module
  (#eq? @_def "defmodule"))
((call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body) @definition.interface
  (#eq? @_def "defprotocol"))
((call target: (identifier) @_def (arguments . (alias) @name) (do_block) @body) @definition.implementation
  (#eq? @_def "defimpl"))
((call
  target: (identifier) @_def
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: (call target: (identifier) @name) operator: "when")
  ])
  (do_block) @body) @definition.function
  (#any-of? @_def "def" "defp" "defdelegate" "defguard" "defguardp"))
((call
  target: (identifier) @_def
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: (call target: (identifier) @name) operator: "when")
  ])) @definition.function
  (#any-of? @_def "def" "defp" "defdelegate" "defguard" "defguardp"))
((call
  target: (identifier) @_def
  (arguments . [
    (call target: (identifier) @name)
    (binary_operator left: (call target: (identifier) @name) operator: "when")
  ])
  (do_block) @body) @definition.macro
  (#any-of? @_def "defmacro" "defmacrop"))
((call
  target: (identifier) @_def
  (arguments . [
    (call target: (identifier) @name)
    (binary_operator left: (call target: (identifier) @name) operator: "when")
  ])) @definition.macro
  (#any-of? @_def "defmacro" "defmacrop"))

; The fields of a struct.
((call
  target: (identifier) @_def (arguments (list (atom) @name @definition.field)))
  (#any-of? @_def "defstruct" "defexception"))
((call
  target: (identifier) @_def (arguments (list (keywords (pair key: (keyword) @name) @definition.field))))
  (#any-of? @_def "defstruct" "defexception"))
((call
  target: (identifier) @_def (arguments (keywords (pair key: (keyword) @name) @definition.field)))
  (#any-of? @_def "defstruct" "defexception"))
((unary_operator
  operand: (call
    target: (identifier) @_attribute
    (arguments . (binary_operator left: [(identifier) (call)] @name operator: "::")))) @definition.type
  (#any-of? @_attribute "type" "typep" "opaque"))
((unary_operator
  operand: (call
    target: (identifier) @_attribute
    (arguments . (binary_operator left: [(identifier) (call)] @name operator: "::")))) @definition.method
  (#any-of? @_attribute "callback" "macrocallback"))
((unary_operator operand: (call target: (identifier) @name)) @definition.constant
  (#not-any-of? @name
    "after_compile" "before_compile" "behaviour" "callback" "compile" "deprecated" "derive" "dialyzer" "doc"
    "enforce_keys" "external_resource" "impl" "macrocallback" "moduledoc" "on_load" "opaque" "optional_callbacks"
    "since" "spec" "tag" "type" "typedoc" "typep"))

; References.
((call target: (identifier) @reference.call)
  (#not-any-of? @reference.call
    "alias" "case" "cond" "def" "defdelegate" "defexception" "defguard" "defguardp" "defimpl" "defmacro" "defmacrop"
    "defmodule" "defp" "defprotocol" "defstruct" "doc" "for" "if" "import" "moduledoc" "quote" "require" "spec" "type"
    "typep" "unless" "unquote" "use" "with"))
(call target: (dot right: (identifier) @reference.call))
(alias) @reference.type
