#include "cache.h"

struct cache_line *cache_find(struct cache_line *lines, size_t n, uint64_t offset)
{
    for (size_t i = 0; i < n; i++) {
        struct cache_line *line = &lines[i];
        if (line-><CURSOR private: src/cache.h:cache_line>
    }
    return NULL;
}
