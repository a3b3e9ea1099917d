; A section is a heading with the text up to the next heading of its level.
(section . (atx_heading heading_content: (_) @name) @head) @definition.section
(setext_heading heading_content: (_) @name) @definition.section
