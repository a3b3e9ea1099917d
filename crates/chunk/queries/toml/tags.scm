; Tables, and the keys before the first table.
(table . (_) @name "]" @head) @definition.section
(table_array_element . (_) @name "]]" @head) @definition.section
(document (pair . (_) @name) @definition.section)
