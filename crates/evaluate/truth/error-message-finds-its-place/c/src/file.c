#include <stdio.h>
#include <string.h>

/* Whether a file can be read, and whether it can be written. */
int file_can_be_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

int file_can_be_written(const char *path)
{
    FILE *file = fopen(path, "ab");
    if (file)
        fclose(file);
    return file != NULL;
}
