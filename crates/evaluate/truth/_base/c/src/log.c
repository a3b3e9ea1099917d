#include "kvlog/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "checksum.h"

struct kv_log {
    FILE *file;
    uint64_t end;
};

struct record_head {
    uint32_t checksum;
    uint32_t key_len;
    uint32_t value_len;
};

kv_status kv_log_open(const char *path, kv_log **log)
{
    kv_log *opened = calloc(1, sizeof *opened);
    if (!opened)
        return KV_NO_MEMORY;
    opened->file = fopen(path, "a+b");
    if (!opened->file) {
        free(opened);
        return KV_IO_ERROR;
    }
    fseek(opened->file, 0, SEEK_END);
    opened->end = (uint64_t)ftell(opened->file);
    *log = opened;
    return KV_OK;
}

kv_status kv_log_append(kv_log *log, const kv_buffer *key, const kv_buffer *value, uint64_t *offset)
{
    struct record_head head = {
        .checksum = checksum(key->data, key->len) ^ checksum(value->data, value->len),
        .key_len = (uint32_t)key->len,
        .value_len = (uint32_t)value->len,
    };
    if (fwrite(&head, sizeof head, 1, log->file) != 1)
        return KV_IO_ERROR;
    if (fwrite(key->data, 1, key->len, log->file) != key->len)
        return KV_IO_ERROR;
    if (fwrite(value->data, 1, value->len, log->file) != value->len)
        return KV_IO_ERROR;
    *offset = log->end;
    log->end += sizeof head + key->len + value->len;
    return KV_OK;
}

kv_status kv_log_sync(kv_log *log)
{
    if (fflush(log->file) != 0 || fsync(fileno(log->file)) != 0)
        return KV_IO_ERROR;
    return KV_OK;
}

void kv_log_close(kv_log *log)
{
    fclose(log->file);
    free(log);
}
