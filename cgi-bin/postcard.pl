#!/usr/bin/perl
# An island that answers a form: reads a POST from standard input, checks it, prints a postcard.
# Nothing is stored. What the visitor wrote is limited in length, decoded once, and escaped at the
# only place where it is printed.
use strict;
use warnings;

my $MAX_BODY = 16_384;
my %MARK = (palm => 'Palm', fish => 'Fish', sail => 'Sail');

# Ends with an error page: `refuse('413 Content Too Large', 'The message is too long.')`.
sub refuse {
    my ($status, $reason, @headers) = @_;
    page($status, 'Returned to sender', qq{<p class="lead">$reason</p>}, @headers);
    exit 0;
}

# The form's body, or an error page. Reads no more than CONTENT_LENGTH says, and that is limited.
sub read_body {
    refuse('405 Method Not Allowed', 'Postcards are sent with POST.', 'Allow: POST')
        unless ($ENV{REQUEST_METHOD} // '') eq 'POST';
    refuse('415 Unsupported Media Type', 'This is not a form.')
        unless ($ENV{CONTENT_TYPE} // '') =~ m{^application/x-www-form-urlencoded\s*(?:;|$)}i;
    refuse('411 Length Required', 'The form does not say how long it is.')
        unless ($ENV{CONTENT_LENGTH} // '') =~ /^[0-9]{1,9}$/;
    refuse('413 Content Too Large', 'That is more than fits on a postcard.')
        if $ENV{CONTENT_LENGTH} > $MAX_BODY;
    my $got = read STDIN, my $body, $ENV{CONTENT_LENGTH};
    refuse('400 Bad Request', 'The form arrived incomplete.')
        unless defined $got && $got == $ENV{CONTENT_LENGTH};
    return $body;
}

# One encoded field as text: percent-decoded, UTF-8, without control characters other than line ends.
sub decode_field {
    my ($text) = @_;
    $text =~ tr/+/ /;
    $text =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ge;
    refuse('400 Bad Request', 'The form is not UTF-8 text.')
        unless utf8::decode($text) && $text !~ /[\x{D800}-\x{DFFF}]|[^\x{0}-\x{10FFFF}]/;
    $text =~ s/\r\n?/\n/g;
    $text =~ s/(?!\n)[[:cntrl:]]//g;
    return $text;
}

# name=value&name=value as a list of names and values.
sub parse_form {
    my ($body) = @_;
    return map { my ($name, $value) = split /=/, $_, 2; decode_field($name) => decode_field($value // '') }
        grep { /./ } split /&/, $body;
}

sub escape {
    my ($text) = @_;
    my %entity = ('&' => '&amp;', '<' => '&lt;', '>' => '&gt;', '"' => '&quot;', "'" => '&#39;');
    $text =~ s/([&<>"'])/$entity{$1}/g;
    return $text;
}

sub page {
    my ($status, $title, $content, @headers) = @_;
    binmode STDOUT, ':utf8';
    print "$_\n" for "Status: $status", @headers;
    print <<"PAGE";
Content-Type: text/html; charset=utf-8
Content-Security-Policy: default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'
X-Content-Type-Options: nosniff
Cache-Control: no-store

<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title &middot; Atoll</title>
<link rel="stylesheet" href="/style.css">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
</head>
<body>
<main class="sheet">
<p class="eyebrow"><a href="/postcard.shtml">&larr; Write another</a></p>
<h1>$title</h1>
$content
</main>
</body>
</html>
PAGE
}

my %form = parse_form(read_body());
my ($message, $to, $from) = map { $_ // '' } @form{qw(message to from)};
refuse('400 Bad Request', 'A postcard needs a message, a name and a sender.')
    if grep { !/\S/ } $message, $to, $from;
refuse('413 Content Too Large', 'That is more than fits on a postcard.')
    if length $message > 600 || length $to > 60 || length $from > 60;

my $stamp = exists $MARK{ $form{stamp} // '' } ? $form{stamp} : 'palm';
my ($minute, $hour, $day, $month, $year) = (gmtime)[1 .. 5];
my $postmark = sprintf '%04d-%02d-%02d %02d:%02d', $year + 1900, $month + 1, $day, $hour, $minute;

page('200 OK', 'Your postcard', join "\n",
    '<article class="postcard written">',
    '<p class="message">' . escape($message) . '</p>',
    qq{<div class="address"><p class="stamp $stamp">$MARK{$stamp}</p><p class="postmark">Atoll<br>$postmark</p>},
    '<p class="to">' . escape($to) . '</p><p class="from">from ' . escape($from) . '</p></div>',
    '</article>',
    qq{<p class="log">Perl @{[sprintf '%vd', $^V]} &middot; process $$</p>});
