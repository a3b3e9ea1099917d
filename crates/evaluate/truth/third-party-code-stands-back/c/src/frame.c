#include "checksum.h"
#include "kvlog/buffer.h"

/* Whether a frame, a block of bytes with its checksum, is whole. */
int frame_is_whole(const void *block, size_t bytes, uint32_t expected)
{
    uint32_t sum = <CURSOR context: src/checksum.c:checksum>
    return sum == expected;
}
