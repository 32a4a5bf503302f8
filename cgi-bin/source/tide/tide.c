/* An island in C: the tide in an imaginary lagoon, now and for the next 24 hours, drawn as SVG.
 *
 * Build:  cc -O2 -static -o cgi-bin/tide cgi-bin/source/tide/tide.c -lm     (or: make islands)
 *
 * A compiled island is a program like any other: it prints a header, an empty line, the content.
 * Statically linked it starts in a fraction of a millisecond.
 */
#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* A tide is a sum of waves. The speeds (degrees per hour) are the moon's and the sun's, and the same
 * everywhere on earth; amplitude (metres) and phase (degrees) make the place. Invent your own. */
static const struct {
    double speed, amplitude, phase;
} waves[] = {
    {28.9841042, 0.42, 110.0}, /* M2: the moon, twice a day */
    {30.0000000, 0.15, 35.0},  /* S2: the sun, twice a day */
    {15.0410686, 0.11, 220.0}, /* K1: both, once a day */
    {13.9430356, 0.08, 290.0}, /* O1: the moon, once a day */
};

static double height(double hours) {
    double sum = 0.9;
    for (size_t i = 0; i < sizeof waves / sizeof *waves; i++) {
        double angle = fmod(waves[i].speed * hours + waves[i].phase, 360.0);
        sum += waves[i].amplitude * cos(angle * 3.14159265358979 / 180.0);
    }
    return sum;
}

/* The curve from six hours ago to 18 hours ahead, 240 by 60 units: ten units an hour. */
static void draw_curve(double now) {
    printf("<svg class=\"tide\" viewBox=\"0 0 240 60\" role=\"img\" aria-label=\"Tide curve of one day\">"
           "<path d=\"M0 60");
    for (int x = 0; x <= 240; x += 4)
        printf("L%d %.1f", x, 56.0 - 30.0 * height(now - 6.0 + x / 10.0));
    printf("L240 60Z\"/><line x1=\"60\" x2=\"60\" y1=\"0\" y2=\"60\"/><circle cx=\"60\" cy=\"%.1f\" r=\"3\"/></svg>\n",
           56.0 - 30.0 * height(now));
}

int main(void) {
    time_t seconds = time(NULL);
    double now = (double)seconds / 3600.0;
    struct tm utc;
    gmtime_r(&seconds, &utc);

    printf("Content-Type: text/html; charset=utf-8\n\n<div class=\"answer\">");
    draw_curve(now);
    printf("<p>Water stands at <b>%.2f&nbsp;m</b> and is %s.</p></div>\n", height(now),
           height(now + 0.1) > height(now) ? "rising" : "falling");
    printf("<p class=\"log\">C (%s) &middot; process %d &middot; <time>%02d:%02d:%02d UTC</time></p>\n",
#ifdef __clang__
           "clang",
#else
           "gcc",
#endif
           (int)getpid(), utc.tm_hour, utc.tm_min, utc.tm_sec);
    return 0;
}
