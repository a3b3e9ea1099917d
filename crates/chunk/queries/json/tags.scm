; The keys of the outermost object.
(document (object (pair key: (string) @name value: [(object) (array)] @body) @definition.section))
(document (object (pair key: (string) @name) @definition.section))
