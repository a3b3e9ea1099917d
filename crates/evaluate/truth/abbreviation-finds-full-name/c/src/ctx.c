#include "ctx.h"

#include <string.h>

void ctx_init(struct ctx *ctx, const char *path)
{
    memset(ctx, 0, sizeof *ctx);
    ctx->path = path;
    ctx->index = index_new();
}

kv_status ctx_open(struct ctx *ctx)
{
    return kv_log_open(ctx->path, &ctx->log);
}
