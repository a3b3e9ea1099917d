#include "kvlog/status.h"

const char *kv_status_text(kv_status status)
{
    switch (status) {
    case KV_OK:
        return "ok";
    case KV_NOT_FOUND:
        return "no such key";
    case KV_NO_MEMORY:
        return "out of memory";
    case KV_IO_ERROR:
        return "the file cannot be read or written";
    case KV_CORRUPT:
        return "the file is damaged";
    }
    return "unknown status";
}
