#!/bin/bash
# Shows what an island is told about its request: the meta-variables of RFC 3875 and the request's
# headers (HTTP_...). Paths of this machine are left out, and what could be a secret is masked.

escape() {
    local text=$1
    text=${text//&/"&amp;"}
    text=${text//</"&lt;"}
    text=${text//>/"&gt;"}
    text=${text//\"/"&quot;"}
    printf '%s' "${text//\'/"&#39;"}"
}

cat <<'PAGE'
Content-Type: text/html; charset=utf-8
Cache-Control: no-store

<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>What an island is told</title>
<link rel="stylesheet" href="/style.css">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
</head>
<body>
<main class="sheet">
<p class="eyebrow"><a href="/how.shtml">&larr; How it works</a></p>
<h1>What an island is told</h1>
<p class="lead">Your request, as <code>cgi-bin/env.sh</code> found it in its environment.</p>
<dl class="facts">
PAGE

for name in $(compgen -e); do
    case $name in
        HTTP_AUTHORIZATION | HTTP_COOKIE) value="(hidden)" ;;
        HTTP_* | AUTH_TYPE | CONTENT_* | GATEWAY_INTERFACE | PATH_INFO | QUERY_STRING | REMOTE_*) value=${!name} ;;
        REQUEST_* | SCRIPT_NAME | SERVER_*) value=${!name} ;;
        *) continue ;;
    esac
    printf '<dt>%s</dt><dd>%s</dd>\n' "$(escape "$name")" "$(escape "$value")"
done

printf '</dl>\n</main>\n</body>\n</html>\n'
