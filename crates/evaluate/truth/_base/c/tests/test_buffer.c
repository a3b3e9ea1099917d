#include <assert.h>
#include <string.h>

#include "kvlog/buffer.h"

static void appended_bytes_are_there(void)
{
    kv_buffer buffer;
    kv_buffer_init(&buffer);
    assert(kv_buffer_append(&buffer, "abc", 3) == KV_OK);
    assert(kv_buffer_append(&buffer, "def", 3) == KV_OK);
    assert(buffer.len == 6 && memcmp(buffer.data, "abcdef", 6) == 0);
    kv_buffer_free(&buffer);
}

int main(void)
{
    appended_bytes_are_there();
    return 0;
}
