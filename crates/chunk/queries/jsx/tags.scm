; A component is a call; names in lower case are HTML elements.
((jsx_opening_element name: (_) @reference.call) (#not-lowercase? @reference.call))
((jsx_self_closing_element name: (_) @reference.call) (#not-lowercase? @reference.call))
