#include <stdio.h>
// <- import stdio.h
#include "util/list.h"
// <- import util/list.h

#ifndef GUARD
#define GUARD
#define LIMIT 10
//      ^ definition.macro
/* The larger. */
#define MAX(a, b) ((a) > (b) ? (a) : (b))
//      ^ definition.macro (doc)

/* A point. */
struct point {
//     ^ definition.class (doc, body)
    int x, *y;
    //  ^ definition.field in point
    //      ^ definition.field in point
    int (*compare)(const struct point *, size_t);
    //    ^ definition.field in point
    // ~ type point
};

typedef struct {
    unsigned flags : 3;
    //       ^ definition.field in options_t
} options_t;
//^ definition.class (body)

typedef struct node {
//             ^ definition.class (body)
    struct node *next;
    //           ^ definition.field in node
    // ~ type node
} node_t, *node_ptr;
//^ definition.type
//         ^ definition.type

typedef int (*callback)(void *);
//            ^ definition.type
typedef unsigned long word;
//                    ^ definition.type

enum color { RED, GREEN = 2 };
//   ^ definition.enum (body)
//           ^ definition.constant in color
//                ^ definition.constant in color

extern int counter;
//         ^ definition.constant
static const char *names[] = { "a", "b" };
//                 ^ definition.constant

int declared(int a, struct point *p);
//  ^ definition.function
// ~ type point
struct point *make_point(void);
//            ^ definition.function
// ~ type point

/**
 * Adds.
 */
static inline int
add(int a, int b)
// <- definition.function (doc, body)
// <- signature static inline int add(int a, int b)
// <- doc * Adds.
{
    int local = MAX(a, b);
    // ~ call MAX
    node_t *n = malloc(sizeof(node_t));
    // ~ type node_t, call malloc
    return n->next->compare(local) + helper(b);
    // ~ call compare, call helper
}

char **split(const char *text) { return NULL; }
//     ^ definition.function (body)
#endif

typedef struct client {
//             ^ definition.class (body)
//             ^ signature typedef struct client
//             ^ ends } client;
    int fd;
    //  ^ definition.field in client
} client;
// ~ type client
typedef struct object {
//             ^ definition.class (body)
    int kind;
    //  ^ definition.field in object
} obj;
//^ definition.type
//^ signature typedef struct object
char **names(int n);
//     ^ definition.function
static char ***deep(void) { return 0; }
//             ^ definition.function (body)
struct PACKED header {
//            ^ definition.class (body)
// ~ call PACKED
    int len;
    //  ^ definition.field in header
};
static const int table[] = {
//               ^ definition.constant
//               ^ signature static const int table[]
    1,
    2,
};
