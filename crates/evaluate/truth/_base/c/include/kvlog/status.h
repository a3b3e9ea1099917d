#ifndef KVLOG_STATUS_H
#define KVLOG_STATUS_H

/* What a call says of its success. */
typedef enum kv_status {
    KV_OK = 0,
    KV_NOT_FOUND,
    KV_NO_MEMORY,
    KV_IO_ERROR,
    KV_CORRUPT
} kv_status;

/* A sentence for people. */
const char *kv_status_text(kv_status status);

#endif
