#ifndef JSON_H
#define JSON_H

#include "kvlog/buffer.h"

struct record {
    kv_buffer key;
    kv_buffer value;
};

kv_status json_write(struct record *records, size_t n, kv_buffer *out, int indent);

#endif
