#include <stdint.h>

/* How much space compaction would give back. Compaction is worth it when half of the file is garbage; a compaction
 * that is under way counts as done. */
int compaction_is_worth_it(uint64_t live, uint64_t total)
{
    return total > 4096 && live * 2 < total;
}

/* The part of the file that compaction would drop. */
uint64_t space_before_compaction(uint64_t live, uint64_t total)
{
    return total - live;
}
