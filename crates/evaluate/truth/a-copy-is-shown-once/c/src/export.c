#include "index.h"
#include "varint.h"

/* Writes a key with its length before it. */
kv_status export_key(const kv_buffer *key, kv_buffer *out)
{
    kv_status status = varint_put(<CURSOR:>);
    if (status != KV_OK)
        return status;
    return kv_buffer_append(out, key->data, key->len);
}
