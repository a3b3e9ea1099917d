#ifndef CTX_H
#define CTX_H

#include "index.h"
#include "kvlog/log.h"

struct ctx {
    const char *path;
    struct index *index;
    kv_log *log;
};

void ctx_init(struct ctx *ctx, const char *path);
kv_status ctx_open(struct ctx *ctx);

#endif
