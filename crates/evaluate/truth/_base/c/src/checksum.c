#include "checksum.h"

/* FNV-1a. */
uint32_t checksum(const void *bytes, size_t len)
{
    const unsigned char *at = bytes;
    uint32_t hash = 2166136261u;
    while (len--) {
        hash ^= *at++;
        hash *= 16777619u;
    }
    return hash;
}
