#ifndef FRAME_H
#define FRAME_H

#include <stdint.h>

#include "kvlog/buffer.h"

struct frame {
    kv_buffer *out;
    size_t start;
};

/* Begins a frame of the given kind at the end of a buffer. */
kv_status frame_begin(struct frame *frame, kv_buffer *out, uint32_t kind);
kv_status frame_end(struct frame *frame);

#endif
