; The keys of the outermost mapping.
(document
  (block_node (block_mapping (block_mapping_pair key: (_) @name value: (block_node) @body) @definition.section)))
(document (block_node (block_mapping (block_mapping_pair key: (_) @name) @definition.section)))
