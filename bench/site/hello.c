/* The smallest CGI program: what remains is the cost of the server and of exec. */
#include <unistd.h>

int main(void) {
    static const char answer[] = "Content-Type: text/plain\r\n\r\nhello from C\n";
    return write(1, answer, sizeof answer - 1) == (ssize_t)(sizeof answer - 1) ? 0 : 1;
}
