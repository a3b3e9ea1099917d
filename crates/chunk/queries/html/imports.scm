((script_element
  (start_tag (attribute (attribute_name) @_src (quoted_attribute_value (attribute_value) @import.module))))
  @import
  (#eq? @_src "src"))
((element
  (start_tag
    (tag_name) @_link (attribute (attribute_name) @_href (quoted_attribute_value (attribute_value) @import.module))))
  @import
  (#eq? @_link "link") (#eq? @_href "href"))
