#include <stdio.h>

/* Control of the terminal: characters of escape sequences. */
void terminal_control(char escape)
{
    printf("\033[%c", escape);
}

void terminal_clear(void)
{
    terminal_control('J');
}
