; Definitions.
((rule (targets (word) @name) (recipe) @body) @definition.function)
((rule (targets (word) @name)) @definition.function
  (#not-any-of? @name ".PHONY" ".SUFFIXES" ".DEFAULT" ".PRECIOUS" ".INTERMEDIATE" ".SECONDARY" ".DELETE_ON_ERROR" ".SILENT" ".NOTPARALLEL" ".ONESHELL" ".EXPORT_ALL_VARIABLES"))
(define_directive name: (word) @name value: (_) @body) @definition.macro
(variable_assignment name: (word) @name) @definition.constant

; References.
(prerequisites (word) @reference.call)
(variable_reference (word) @reference.type)
