#!/usr/bin/perl
# An island in Perl: one line out of a small library of the sea, another one at each visit.
# Add your own below. The text is HTML already, so write &mdash; for a dash.
use strict;
use warnings;

my @library = (
    ['No man is an island, entire of itself; every man is a piece of the continent, a part of the main.',
        'John Donne', 1624],
    ['Be not afeard; the isle is full of noises, sounds and sweet airs, that give delight and hurt not.',
        'William Shakespeare', 1611],
    ['We were the first that ever burst into that silent sea.', 'Samuel Taylor Coleridge', 1798],
    ['How utterly insignificant are the greatest of these, when compared to these mountains of stone '
        . 'accumulated by the agency of various minute and tender animals!', 'Charles Darwin', 1845],
    ['Meditation and water are wedded for ever.', 'Herman Melville', 1851],
    ['In the soul of man there lies one insular Tahiti, full of peace and joy.', 'Herman Melville', 1851],
    ['The first love, the first sunrise, the first South Sea island, are memories apart.',
        'Robert Louis Stevenson', 1896],
    ['There is nothing&mdash;absolutely nothing&mdash;half so much worth doing as simply messing about in boats.',
        'Kenneth Grahame', 1908],
);

my ($line, $author, $year) = @{ $library[rand @library] };
my ($second, $minute, $hour) = gmtime;

print "Content-Type: text/html; charset=utf-8\n\n";
print qq{<blockquote class="answer"><p>$line</p><footer>$author, $year</footer></blockquote>\n};
printf qq{<p class="log">Perl %vd &middot; process %d &middot; <time>%02d:%02d:%02d UTC</time></p>\n},
    $^V, $$, $hour, $minute, $second;
