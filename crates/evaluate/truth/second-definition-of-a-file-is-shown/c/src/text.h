#ifndef TEXT_H
#define TEXT_H

#include "kvlog/buffer.h"

/* The beginning of the text of a report. */
kv_status text_begin(kv_buffer *out, const char *title);

/* One line with a label and a number, aligned to `width`. */
kv_status text_number(kv_buffer *out, const char *label, unsigned long number, int width);

/* One line with a label and a share in percent. */
kv_status text_share(kv_buffer *out, const char *label, unsigned long part, unsigned long whole);

/* A line of dashes as long as the longest line before it. */
kv_status text_rule(kv_buffer *out);

/* The end of the text, with the count of its lines. */
kv_status text_end(kv_buffer *out, int with_count);

#endif
