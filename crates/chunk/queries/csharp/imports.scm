(using_directive !name [(identifier) (qualified_name)] @import.module) @import
(using_directive name: (identifier) @import.alias (qualified_name) @import.module) @import
