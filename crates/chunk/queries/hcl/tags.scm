; Blocks with two labels are named by the second: `resource "aws_instance" "web"`.
(block (identifier) . (string_lit) @qualifier . (string_lit) @name @head . (block_start)) @definition.class
((block . (identifier) @_kind . (string_lit) @name @head . (block_start)) @definition.constant
  (#any-of? @_kind "variable" "output"))
((block . (identifier) @_kind . (string_lit) @name @head . (block_start)) @definition.module
  (#any-of? @_kind "module" "provider"))
(config_file (body (block . (identifier) . (string_lit) @name @head . (block_start)) @definition.section))
(config_file (body (block . (identifier) @name @head . (block_start)) @definition.section))
((block . (identifier) @_locals . (block_start) (body (attribute . (identifier) @name) @definition.constant))
  (#eq? @_locals "locals"))
(config_file (body (attribute . (identifier) @name) @definition.constant))

; The type of a resource; providers define it. `symbols` finds the resources by it.
((block . (identifier) @_kind . (string_lit (template_literal) @reference.type) . (string_lit) . (block_start))
  (#any-of? @_kind "resource" "data"))
((expression (variable_expr (identifier) @reference.type) . (get_attr (identifier)))
  (#not-any-of? @reference.type
    "block" "count" "data" "each" "local" "module" "path" "self" "terraform" "var"))
; References: `var.region`, `local.name`, `aws_instance.web`, `data.aws_ami.ubuntu`.
(function_call . (identifier) @reference.call)
((expression (variable_expr (identifier) @_root) . (get_attr (identifier) @reference.type))
  (#not-any-of? @_root "data" "each" "count" "self" "path" "terraform"))
((expression (variable_expr (identifier) @_data) . (get_attr) . (get_attr (identifier) @reference.type))
  (#eq? @_data "data"))
