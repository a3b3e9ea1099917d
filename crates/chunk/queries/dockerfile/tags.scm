; A stage extends to the next.
((from_instruction as: (image_alias) @name) @definition.section
  (#set! definition.reach "next"))
(arg_instruction (arg_pair name: (_) @name)) @definition.constant
(env_instruction (env_pair name: (_) @name) @definition.constant)

; References.
(image_spec name: (image_name) @reference.type)
(expansion (variable) @reference.type)
