#include "kvlog/cursor.h"

void kv_cursor_init(kv_cursor *cursor, kv_log *log)
{
    cursor->log = log;
    cursor->offset = 0;
}

kv_status kv_cursor_next(<CURSOR: include/kvlog/cursor.h:"kv_status kv_cursor_next">
