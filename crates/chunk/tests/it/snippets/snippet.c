#include <stdio.h>
#include "a.h"
#define M(x) ((x) + 1)

/* S. */
typedef struct s {
    int a;
} s_t;

static int f(const char *p, int n)
{
    for (int i = 0; i < n; i++) {
        printf("%s\n", p);
    }
    return M(n);
}
