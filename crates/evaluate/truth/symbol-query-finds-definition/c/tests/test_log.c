#include <assert.h>
#include <stdio.h>

#include "kvlog/log.h"

static void kv_log_append_moves_the_end(void)
{
    kv_log *log;
    kv_buffer key, value;
    uint64_t first, second;
    kv_buffer_init(&key);
    kv_buffer_init(&value);
    assert(kv_log_open("test.log", &log) == KV_OK);
    assert(kv_log_append(log, &key, &value, &first) == KV_OK);
    assert(kv_log_append(log, &key, &value, &second) == KV_OK);
    assert(second > first);
    kv_log_close(log);
    remove("test.log");
}

int main(void)
{
    kv_log_append_moves_the_end();
    return 0;
}
