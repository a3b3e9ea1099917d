#ifndef KVLOG_CURSOR_H
#define KVLOG_CURSOR_H

#include "kvlog/buffer.h"
#include "kvlog/log.h"

/* Walks over all records of a log, the oldest first. */
typedef struct kv_cursor {
    kv_log *log;
    uint64_t offset;
} kv_cursor;

void kv_cursor_init(kv_cursor *cursor, kv_log *log);

/* Reads the next record; KV_NOT_FOUND at the end. */
kv_status kv_cursor_next(kv_cursor *cursor, kv_buffer *key, kv_buffer *value);

#endif
