; Definitions. `a=1 command` sets a variable for the command alone.
(function_definition) @definition.function
(program (variable_assignment) @definition.constant)
(declaration_command (variable_assignment) @definition.constant)
(declaration_command (variable_assignment) @inner) @outer

; References.
(command_name (word) @reference.call)
