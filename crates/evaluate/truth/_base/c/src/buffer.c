#include "kvlog/buffer.h"

#include <stdlib.h>
#include <string.h>

void kv_buffer_init(kv_buffer *buffer)
{
    buffer->data = NULL;
    buffer->len = 0;
    buffer->cap = 0;
}

static kv_status reserve(kv_buffer *buffer, size_t needed)
{
    size_t cap = buffer->cap ? buffer->cap : 64;
    while (cap < needed)
        cap *= 2;
    unsigned char *data = realloc(buffer->data, cap);
    if (!data)
        return KV_NO_MEMORY;
    buffer->data = data;
    buffer->cap = cap;
    return KV_OK;
}

kv_status kv_buffer_append(kv_buffer *buffer, const void *bytes, size_t len)
{
    if (buffer->len + len > buffer->cap) {
        kv_status status = reserve(buffer, buffer->len + len);
        if (status != KV_OK)
            return status;
    }
    memcpy(buffer->data + buffer->len, bytes, len);
    buffer->len += len;
    return KV_OK;
}

void kv_buffer_clear(kv_buffer *buffer)
{
    buffer->len = 0;
}

void kv_buffer_free(kv_buffer *buffer)
{
    free(buffer->data);
    kv_buffer_init(buffer);
}
