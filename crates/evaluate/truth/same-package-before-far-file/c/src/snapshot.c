#include "frame.h"
#include "index.h"

kv_status snapshot_write(const struct index *index, kv_buffer *out)
{
    struct frame frame;
    kv_status status = frame_begin(<CURSOR: src/frame.h:frame_begin>);
    if (status != KV_OK)
        return status;
    return frame_end(&frame);
}
