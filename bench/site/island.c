/* Stands in for an island whose compiler is missing; LANGUAGE is the name it prints. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    const char *method = getenv("REQUEST_METHOD");
    printf("Content-Type: text/html\r\n\r\n");
    printf("<section><h2>" LANGUAGE "</h2><p>method %s</p></section>\n", method ? method : "");
    return 0;
}
