#ifndef CACHE_H
#define CACHE_H

#include "kvlog/buffer.h"

struct cache_line {
    uint64_t offset;
    kv_buffer value;
    unsigned age;
};

/* Finds the line of an offset, or NULL. */
struct cache_line *cache_find(struct cache_line *lines, size_t n, uint64_t offset);

#endif
