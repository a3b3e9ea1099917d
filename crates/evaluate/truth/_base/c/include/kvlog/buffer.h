#ifndef KVLOG_BUFFER_H
#define KVLOG_BUFFER_H

#include <stddef.h>

#include "kvlog/status.h"

/* Bytes that grow. */
typedef struct kv_buffer {
    unsigned char *data;
    size_t len;
    size_t cap;
} kv_buffer;

void kv_buffer_init(kv_buffer *buffer);
kv_status kv_buffer_append(kv_buffer *buffer, const void *bytes, size_t len);
void kv_buffer_clear(kv_buffer *buffer);
void kv_buffer_free(kv_buffer *buffer);

#endif
