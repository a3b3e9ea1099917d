#include <stddef.h>
#include <string.h>

/* Shows a match with some of its context: the context is at most `n` bytes on both sides. */
size_t show_with_context(const char *text, size_t at, size_t n, char *out)
{
    size_t start = at > n ? at - n : 0;
    size_t len = strnlen(text + start, 2 * n);
    memcpy(out, text + start, len);
    return len;
}
