((script_element
  (start_tag (attribute (attribute_name) @_src (quoted_attribute_value (attribute_value) @import.module))))
  @import
  (#eq? @_src "src"))
((style_element
  (start_tag (attribute (attribute_name) @_src (quoted_attribute_value (attribute_value) @import.module))))
  @import
  (#eq? @_src "src"))
