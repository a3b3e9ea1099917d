((block . (identifier) @_module
  (body (attribute . (identifier) @_source (expression (literal_value (string_lit) @import.module))) @import))
  (#eq? @_module "module") (#eq? @_source "source"))
