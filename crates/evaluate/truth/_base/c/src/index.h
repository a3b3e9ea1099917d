#ifndef INDEX_H
#define INDEX_H

#include <stdint.h>

#include "kvlog/buffer.h"

/* Where the newest record of each key lies. */
struct index;

struct index *index_new(void);
kv_status index_put(struct index *index, const kv_buffer *key, uint64_t offset);
kv_status index_get(const struct index *index, const kv_buffer *key, uint64_t *offset);
void index_free(struct index *index);

#endif
