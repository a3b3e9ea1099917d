; A component is used like a function; what is written in lower case is an element of HTML.
((jsx_opening_element name: (_) @reference.call) (#not-lowercase? @reference.call))
((jsx_self_closing_element name: (_) @reference.call) (#not-lowercase? @reference.call))
