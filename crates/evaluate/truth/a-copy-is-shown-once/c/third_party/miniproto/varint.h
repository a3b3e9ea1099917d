#ifndef VARINT_H
#define VARINT_H

#include "kvlog/buffer.h"

/* Appends a number in as few bytes as it needs, seven bits each. */
static inline kv_status varint_put(kv_buffer *out, unsigned long number)
{
    unsigned char bytes[10];
    size_t n = 0;
    do {
        bytes[n] = (unsigned char)(number & 0x7f);
        number >>= 7;
        if (number)
            bytes[n] |= 0x80;
        n++;
    } while (number);
    return kv_buffer_append(out, bytes, n);
}

#endif
