#include "json.h"

#include <stdio.h>
#include <string.h>

/* Writes all records as one JSON document, keys sorted, values as strings. */
kv_status json_write(struct record *records, size_t n, kv_buffer *out, int indent)
{
    kv_status status = kv_buffer_append(out, "{", 1);
    if (status != KV_OK)
        return status;
    /* Sorted by insertion: documents are short. */
    for (size_t i = 1; i < n; i++) {
        struct record it = records[i];
        size_t at = i;
        while (at > 0) {
            size_t shorter = records[at - 1].key.len;
            if (it.key.len < shorter)
                shorter = it.key.len;
            int order = memcmp(records[at - 1].key.data, it.key.data, shorter);
            if (order < 0)
                break;
            if (order == 0 && records[at - 1].key.len <= it.key.len)
                break;
            records[at] = records[at - 1];
            at--;
        }
        records[at] = it;
    }
    for (size_t i = 0; i < n; i++) {
        if (i > 0) {
            status = kv_buffer_append(out, ",", 1);
            if (status != KV_OK)
                return status;
        }
        if (indent > 0) {
            status = kv_buffer_append(out, "\n", 1);
            if (status != KV_OK)
                return status;
            for (int column = 0; column < indent; column++) {
                status = kv_buffer_append(out, " ", 1);
                if (status != KV_OK)
                    return status;
            }
        }
        for (int part = 0; part < 2; part++) {
            const kv_buffer *text = part == 0 ? &records[i].key : &records[i].value;
            status = kv_buffer_append(out, "\"", 1);
            if (status != KV_OK)
                return status;
            for (size_t at = 0; at < text->len; at++) {
                unsigned char c = text->data[at];
                char escape[8];
                size_t len = 1;
                escape[0] = (char)c;
                if (c == '"' || c == '\\') {
                    escape[0] = '\\';
                    escape[1] = (char)c;
                    len = 2;
                } else if (c == '\n' || c == '\t' || c == '\r') {
                    escape[0] = '\\';
                    escape[1] = c == '\n' ? 'n' : c == '\t' ? 't' : 'r';
                    len = 2;
                } else if (c < 0x20) {
                    /* Other control characters have no short form: escape them as Unicode. */
                    len = (size_t)snprintf(escape, sizeof escape, "\\u%04x", c);
                }
                status = kv_buffer_append(out, escape, len);
                if (status != KV_OK)
                    return status;
            }
            status = kv_buffer_append(out, "\"", 1);
            if (status != KV_OK)
                return status;
            if (part == 0) {
                status = kv_buffer_append(out, indent > 0 ? ": " : ":", indent > 0 ? 2 : 1);
                if (status != KV_OK)
                    return status;
            }
        }
    }
    if (indent > 0 && n > 0) {
        status = kv_buffer_append(out, "\n", 1);
        if (status != KV_OK)
            return status;
    }
    return kv_buffer_append(out, "}", 1);
}
