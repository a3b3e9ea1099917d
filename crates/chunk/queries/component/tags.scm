; A component is used like a function; what is written in lower case is an element of HTML.
((start_tag (tag_name) @reference.call) (#not-lowercase? @reference.call))
((self_closing_tag (tag_name) @reference.call) (#not-lowercase? @reference.call))
