#ifndef KVLOG_LOG_H
#define KVLOG_LOG_H

#include <stdint.h>

#include "kvlog/buffer.h"
#include "kvlog/status.h"

/* An append-only file of records. */
typedef struct kv_log kv_log;

kv_status kv_log_open(const char *path, kv_log **log);
kv_status kv_log_append(kv_log *log, const kv_buffer *key, const kv_buffer *value, uint64_t *offset);
kv_status kv_log_read(kv_log *log, uint64_t offset, kv_buffer *key, kv_buffer *value);
kv_status kv_log_sync(kv_log *log);
void kv_log_close(kv_log *log);

#endif
