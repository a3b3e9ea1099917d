; Elements with an id.
((element
  (start_tag (attribute (attribute_name) @_id (quoted_attribute_value (attribute_value) @name))) @head)
  @definition.section
  (#eq? @_id "id"))
