#include "index.h"

#include <stdlib.h>
#include <string.h>

#include "checksum.h"

struct slot {
    kv_buffer key;
    uint64_t offset;
    int used;
};

struct index {
    struct slot *slots;
    size_t n_slots;
    size_t n_used;
};

struct index *index_new(void)
{
    struct index *index = calloc(1, sizeof *index);
    if (!index)
        return NULL;
    index->n_slots = 1024;
    index->slots = calloc(index->n_slots, sizeof *index->slots);
    return index;
}

static struct slot *find_slot(const struct index *index, const kv_buffer *key)
{
    size_t at = checksum(key->data, key->len) % index->n_slots;
    while (index->slots[at].used) {
        struct slot *slot = &index->slots[at];
        if (slot->key.len == key->len && memcmp(slot->key.data, key->data, key->len) == 0)
            return slot;
        at = (at + 1) % index->n_slots;
    }
    return &index->slots[at];
}

kv_status index_get(const struct index *index, const kv_buffer *key, uint64_t *offset)
{
    struct slot *slot = find_slot(index, key);
    if (!slot->used)
        return KV_NOT_FOUND;
    *offset = slot->offset;
    return KV_OK;
}

kv_status index_put(struct index *index, const kv_buffer *key, uint64_t offset)
{
    struct slot *slot = find_slot(index, key);
    if (!slot->used) {
        kv_buffer_init(&slot->key);
        kv_status status = kv_buffer_append(&slot->key, key->data, key->len);
        if (status != KV_OK)
            return status;
        slot->used = 1;
        index->n_used++;
    }
    slot->offset = offset;
    return KV_OK;
}

void index_free(struct index *index)
{
    free(index->slots);
    free(index);
}
