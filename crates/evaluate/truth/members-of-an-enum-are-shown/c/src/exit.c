#include "kvlog/status.h"

/* The exit code of the program for a status. */
int exit_code(kv_status status)
{
    switch (status) {
    case KV_<CURSOR: include/kvlog/status.h:kv_status#1>
    }
}
