#!/bin/bash
# An island in Bash. This is all of CGI: print a header, print an empty line, print the content.
# Change a word below, save, reload the page: the next visitor already gets the new version.

# Everything a visitor sends is a stranger's text. Never print it without escaping it first.
escape() {
    local text=$1
    text=${text//&/"&amp;"}
    text=${text//</"&lt;"}
    text=${text//>/"&gt;"}
    text=${text//\"/"&quot;"}
    printf '%s' "${text//\'/"&#39;"}"
}

# Builtins only, so the island starts no second process: it is done in about a millisecond.
TZ=UTC printf -v now '%(%H:%M:%S)T' -1
read -r uptime _ </proc/uptime
hours=$((${uptime%.*} / 3600))
minutes=$((${uptime%.*} / 60 % 60))

case ${now%%:*} in
    0[5-9] | 10 | 11) greeting="Good morning" ;;
    1[2-7]) greeting="Good afternoon" ;;
    *) greeting="Good evening" ;;
esac

printf 'Content-Type: text/html; charset=utf-8\n\n'
printf '<p class="answer">%s, visitor from <b>%s</b>. ' "$greeting" "$(escape "${REMOTE_ADDR:-nowhere}")"
printf 'This machine has been afloat for %d&nbsp;h %d&nbsp;min.</p>\n' "$hours" "$minutes"
printf '<p class="log">Bash %s &middot; process %d &middot; <time>%s UTC</time></p>\n' \
    "${BASH_VERSION%%(*}" "$$" "$now"
