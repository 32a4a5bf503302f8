/* An island that waits half a second, as one that asks a slow service does, and costs no CPU. */
#include <stdio.h>
#include <time.h>

int main(void) {
    const struct timespec half = {0, 500000000};
    nanosleep(&half, NULL);
    printf("Content-Type: text/html\r\n\r\n<p>slept</p>\n");
    return 0;
}
