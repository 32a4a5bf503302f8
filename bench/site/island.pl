#!/usr/bin/perl
use strict;
use warnings;

print "Content-Type: text/html\r\n\r\n";
print "<section><h2>Perl</h2><p>method $ENV{REQUEST_METHOD}</p></section>\n";
