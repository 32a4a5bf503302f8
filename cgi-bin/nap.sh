#!/bin/bash
# A slow island: it sleeps as many milliseconds as its query says (nap.sh?ms=500), two seconds at most.
# Put several on one page and the page takes as long as the longest, not as long as their sum.
LC_ALL=C

# Digits only, four at most; anything else is taken as the default. A limit belongs to every island
# that a stranger can make work.
ms=500
if [[ ${QUERY_STRING-} =~ (^|&)ms=([0-9]{1,4})(&|$) ]]; then
    ms=$((10#${BASH_REMATCH[2]}))
fi
((ms > 2000)) && ms=2000

# Prints a time of day with milliseconds, such as 12:00:01.250, from seconds since 1970.
clock() { TZ=UTC printf '%(%H:%M:%S)T.%s' "${1%.*}" "${1:11:3}"; }

printf -v seconds '%d.%03d' $((ms / 1000)) $((ms % 1000))
started=$EPOCHREALTIME
sleep "$seconds"
ended=$EPOCHREALTIME

printf 'Content-Type: text/html; charset=utf-8\n\n'
printf '<p class="answer nap" data-start="%s" data-end="%s"><span>Cast off at <time>%s</time>, ' \
    "$started" "$ended" "$(clock "$started")"
printf 'slept %d&nbsp;ms, back at <time>%s</time>.</span></p>\n' "$ms" "$(clock "$ended")"
printf '<p class="log">Bash %s &middot; process %d</p>\n' "${BASH_VERSION%%(*}" "$$"
