#include <stddef.h>
#include <stdint.h>

/* The checksum of a block of bytes, a checksum for each block. */
uint32_t crc_block_checksum(const void *block, size_t bytes)
{
    const unsigned char *at = block;
    uint32_t checksum = 0xFFFFFFFFu;
    while (bytes--) {
        checksum = (checksum >> 8) ^ crc_table[(checksum ^ *at++) & 0xFF];
    }
    return ~checksum;
}
