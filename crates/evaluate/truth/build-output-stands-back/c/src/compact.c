#include "index.h"
#include "kvlog/log.h"

/* Compacts the log: writes the entries that the index still has to a new log. */
kv_status kv_compact(kv_log *log, const kv_index *index, kv_log *out)
{
    for (size_t at = 0; at < index->len; at++) {
        kv_status status = kv_log_copy(log, index->entries[at].offset, out);
        if (status != KV_OK)
            return status;
    }
    return kv_log_sync(out);
}
