; A component is a call; names in lower case are HTML elements.
((start_tag (tag_name) @reference.call) (#not-lowercase? @reference.call))
((self_closing_tag (tag_name) @reference.call) (#not-lowercase? @reference.call))
