#include <stdlib.h>
#include <string.h>

#include "kvlog/buffer.h"

/* Appends a line to a buffer: its bytes, then the byte that ends a line. */
kv_status lines_append(kv_buffer *buffer, const char *line)
{
    kv_status status = kv_buffer_append(buffer, line, strlen(line));
    if (status != KV_OK)
        return status;
    return kv_buffer_append(buffer, "\n", 1);
}

/* Appends the bytes of all lines to a buffer, with a separator between them. */
kv_status lines_join(kv_buffer *buffer, const char **lines, size_t n, const char *separator)
{
    for (size_t i = 0; i < n; i++) {
        if (i > 0) {
            kv_status status = kv_buffer_append(buffer, separator, strlen(separator));
            if (status != KV_OK)
                return status;
        }
        kv_status status = kv_buffer_append(buffer, lines[i], strlen(lines[i]));
        if (status != KV_OK)
            return status;
    }
    return KV_OK;
}

/* Cuts a buffer into lines; the bytes of each are appended to a buffer of its own. */
kv_status lines_split(const kv_buffer *buffer, kv_buffer *lines, size_t most, size_t *n)
{
    size_t start = 0;
    *n = 0;
    for (size_t at = 0; at < buffer->len && *n < most; at++) {
        if (buffer->data[at] != '\n')
            continue;
        kv_buffer_init(&lines[*n]);
        kv_status status = kv_buffer_append(&lines[*n], buffer->data + start, at - start);
        if (status != KV_OK)
            return status;
        start = at + 1;
        (*n)++;
    }
    if (start < buffer->len && *n < most) {
        kv_buffer_init(&lines[*n]);
        kv_status status = kv_buffer_append(&lines[*n], buffer->data + start, buffer->len - start);
        if (status != KV_OK)
            return status;
        (*n)++;
    }
    return KV_OK;
}

/* Appends text to a buffer with a line end wherever a line would have more than `width` bytes. */
kv_status lines_wrap(kv_buffer *buffer, const char *text, size_t width)
{
    size_t column = 0;
    while (*text) {
        size_t word = strcspn(text, " ");
        if (column > 0 && column + 1 + word > width) {
            kv_status status = kv_buffer_append(buffer, "\n", 1);
            if (status != KV_OK)
                return status;
            column = 0;
        }
        if (column > 0) {
            kv_status status = kv_buffer_append(buffer, " ", 1);
            if (status != KV_OK)
                return status;
            column++;
        }
        kv_status status = kv_buffer_append(buffer, text, word);
        if (status != KV_OK)
            return status;
        column += word;
        text += word;
        text += strspn(text, " ");
    }
    return kv_buffer_append(buffer, "\n", 1);
}

/* Appends each line of one buffer to another with some bytes before it. */
kv_status lines_indent(const kv_buffer *from, kv_buffer *to, const char *indent)
{
    int at_start = 1;
    for (size_t at = 0; at < from->len; at++) {
        if (at_start && from->data[at] != '\n') {
            kv_status status = kv_buffer_append(to, indent, strlen(indent));
            if (status != KV_OK)
                return status;
        }
        kv_status status = kv_buffer_append(to, from->data + at, 1);
        if (status != KV_OK)
            return status;
        at_start = from->data[at] == '\n';
    }
    return KV_OK;
}

/* How many lines the bytes of a buffer are. */
size_t lines_count(const kv_buffer *buffer)
{
    size_t n = 0;
    for (size_t at = 0; at < buffer->len; at++)
        n += buffer->data[at] == '\n';
    return n + (buffer->len > 0 && buffer->data[buffer->len - 1] != '\n');
}
