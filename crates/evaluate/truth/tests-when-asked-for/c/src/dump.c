#include <stdio.h>

#include "kvlog/buffer.h"

/* Appends the hex form of one buffer to another. */
kv_status dump_hex(const kv_buffer *from, kv_buffer *to)
{
    for (size_t i = 0; i < from->len; i++) {
        char text[3];
        snprintf(text, sizeof text, "%02x", from->data[i]);
        kv_status status = kv_buffer_append(to, text, 2);
        if (status != KV_OK)
            return status;
    }
    return KV_OK;
}
