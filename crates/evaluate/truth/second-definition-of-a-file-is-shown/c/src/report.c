#include "index.h"
#include "text.h"

/* A report on how much of a file is alive. */
kv_status report(kv_buffer *out, unsigned long live, unsigned long total)
{
    kv_status status = text_begin(out, "kvlog");
    if (status == KV_OK)
        status = text_share(<CURSOR: src/text.h:text_share; src/text.h:text_begin>);
    return status;
}
