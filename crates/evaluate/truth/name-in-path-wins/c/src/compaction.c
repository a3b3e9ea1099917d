#include "index.h"
#include "kvlog/log.h"

/* Copies the newest record of each key into a new log. */
kv_status rewrite_newest(kv_log *from, kv_log *to, struct index *index)
{
    kv_buffer key, value;
    kv_buffer_init(&key);
    kv_buffer_init(&value);
    kv_status status = KV_OK;
    for (uint64_t at = 0; status == KV_OK;) {
        uint64_t newest;
        status = kv_log_read(from, at, &key, &value);
        if (status != KV_OK)
            break;
        if (index_get(index, &key, &newest) == KV_OK && newest == at)
            status = kv_log_append(to, &key, &value, &newest);
        at += key.len + value.len + 12;
    }
    kv_buffer_free(&key);
    kv_buffer_free(&value);
    return status == KV_NOT_FOUND ? KV_OK : status;
}
