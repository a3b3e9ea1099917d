#include "index.h"

/* Counts records and keys. */
struct stats {
    uint64_t records;
    uint64_t keys;
    uint64_t newest;
};

void stats_count(struct stats *stats, uint64_t offset, int is_new_key)
{
    stats->records++;
    stats->keys += is_new_key ? 1 : 0;
    if (offset > stats->newest)
        stats->newest = offset;
}
