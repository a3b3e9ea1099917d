#include <stdio.h>
#include <string.h>

/* Frames of the dump format of another store: frame_begin reads the mark at which a frame begins. */
int frame_begin(FILE *dump, char *kind, size_t size)
{
    char mark[8];
    if (fread(mark, 1, sizeof mark, dump) != sizeof mark)
        return -1;
    if (memcmp(mark, "BEGIN:", 6) != 0)
        return -1;
    return fgets(kind, (int)size, dump) ? 0 : -1;
}

int frame_skip(FILE *dump)
{
    char kind[32];
    while (frame_begin(dump, kind, sizeof kind) == 0)
        if (strcmp(kind, "end\n") == 0)
            return 0;
    return -1;
}
