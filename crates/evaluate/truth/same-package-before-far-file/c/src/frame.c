#include "frame.h"

kv_status frame_begin(struct frame *frame, kv_buffer *out, uint32_t kind)
{
    frame->out = out;
    frame->start = out->len;
    return kv_buffer_append(out, &kind, sizeof kind);
}

kv_status frame_end(struct frame *frame)
{
    uint32_t len = (uint32_t)(frame->out->len - frame->start);
    return kv_buffer_append(frame->out, &len, sizeof len);
}
