#include "http/pages.h"

#include "base/text.h"

namespace reef::http {

namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --paper: #fbf8f0; --ink: #13303d; --muted: #4a6572; --line: #c8d5d5;
  --coral: #c8402a; --sea: #5aa9ab; --well: #e7f0ec }
@media (prefers-color-scheme: dark) { :root { --paper: #0a1922; --ink: #e4ece6; --muted: #9db3b8;
  --line: #234351; --coral: #ff8a70; --sea: #2f7f84;
  --well: #10252f } }
* { box-sizing: border-box; margin: 0 }
body { min-height: 100vh; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif }
body::before { content: ""; display: block; height: 9px; border: solid var(--ink); border-width: 1px 0;
  background: repeating-linear-gradient(90deg, var(--ink) 0 28px, transparent 28px 56px) }
main { max-width: 44rem; margin: 0 auto; padding: clamp(3rem, 14vh, 8rem) 1.4rem 4rem }
h1, h2, .code { font-family: "Iowan Old Style", "Palatino Linotype", Palatino, P052, Georgia, serif;
  line-height: 1.1 }
h1 { font-size: clamp(2.1rem, 6vw, 3.3rem); font-weight: 600; letter-spacing: -.02em;
  text-wrap: balance }
h2 { font-size: 1.3rem; font-weight: 600 }
.code { font-size: 1.35rem; font-style: italic; color: var(--coral); margin-bottom: .6rem }
.lead { font-size: 1.2rem; color: var(--muted); margin-top: 1.3rem; max-width: 36rem }
svg { width: 15rem; margin-top: 2.6rem; fill: none; stroke: var(--sea); stroke-width: 2 }
.fine { font-size: .9rem; color: var(--muted); margin-top: 2.5rem; padding-top: 1rem;
  border-top: 1px solid var(--line) }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
  font-size: .9em; background: var(--well); border-radius: 2px }
code { padding: .1em .35em; overflow-wrap: anywhere }
pre { padding: .9rem 1.1rem; margin-top: .7rem; overflow-x: auto; border-left: 3px solid var(--coral) }
ol { list-style: none; padding: 0; margin-top: 2.6rem; display: grid; gap: 2rem }
li { min-width: 0; border-top: 1px solid var(--line); padding-top: 1.2rem }
li p { color: var(--muted); margin-top: .4rem }
)";

constexpr std::string_view kWaves =
    R"(<svg viewBox="0 0 240 44" aria-hidden="true"><path d="M0 10q15-10 30 0t30 0 30 0 30 0 30 0 30 0 30 0 30 0)"
    R"(M0 34q15-10 30 0t30 0 30 0 30 0 30 0 30 0 30 0 30 0"/></svg>)";

constexpr std::string_view kWelcome = R"(<p class="code">Atoll</p>
<h1>The lagoon is calm. Bring an island.</h1>
<p class="lead">The server is running, and this site has no pages yet. If it is yours, here are three
ways to begin, all of them in its directory on the server.</p>
<ol>
<li><h2>Start from the demo</h2>
<p>Writes a site with islands in several languages, to be changed into your own:</p>
<pre>atoll init demo
atoll serve demo</pre></li>
<li><h2>Write a page</h2>
<p>Documents go into <code>www/</code>. Files that end in <code>.shtml</code> may include islands.</p>
<pre>mkdir -p www
echo '&lt;h1&gt;Hello&lt;/h1&gt;' &gt; www/index.html</pre></li>
<li><h2>Write an island</h2>
<p>Programs go into <code>cgi-bin/</code>: a header, an empty line, the content. Then visit
<code>/cgi-bin/hello.sh</code>.</p>
<pre>mkdir -p cgi-bin
cat &gt; cgi-bin/hello.sh &lt;&lt;'END'
#!/bin/sh
echo 'Content-Type: text/plain'
echo
echo "Hello from process $$"
END
chmod 755 cgi-bin/hello.sh</pre></li>
</ol>
<p class="fine">This page goes away by itself with the first <code>www/index.html</code> or
<code>www/index.shtml</code>. Settings are optional and go into <code>atoll.toml</code>.</p>)";

/// What a reader can make of the status. About the request, never about the machine.
std::string_view explanation(int status) noexcept {
    switch (status) {
    case 401:
        return "This address asks for a name and a password.";
    case 403:
        return "This address is not open to visitors.";
    case 404:
        return "Nothing lies at this address. It may have moved, or it never was there.";
    case 405:
    case 501:
        return "This address does not answer that kind of request.";
    case 408:
        return "The request took too long to arrive.";
    case 410:
        return "What was here is gone, and will not come back.";
    case 411:
        return "The request does not say how much it sends.";
    case 413:
        return "More was sent than this address accepts.";
    case 414:
    case 431:
        return "The request's address or its headers are too long.";
    case 415:
        return "This address does not take that kind of content.";
    case 416:
        return "The part that was asked for is not in the document.";
    case 421:
        return "This request has reached the wrong server.";
    case 429:
        return "That was a lot of requests. Please wait a moment.";
    case 500:
        return "Something went wrong while this page was made. It is not your fault.";
    case 502:
        return "The program behind this page did not give an answer.";
    case 503:
        return "The server is busy just now. Please try again in a moment.";
    case 504:
        return "The program behind this page took too long.";
    case 505:
        return "The server does not speak that version of HTTP.";
    default:
        return status < 500 ? "The server could not make sense of this request."
                            : "The server could not answer this request.";
    }
}

} // namespace

std::string ownPage(std::string_view title, std::string_view content, std::string_view moreStyle) {
    return text::concat("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                        "<meta name=\"robots\" content=\"noindex\">\n<title>",
                        title, "</title>\n<style>", kStyle, moreStyle,
                        "</style>\n</head>\n<body>\n<main>\n", content,
                        "\n</main>\n</body>\n</html>\n");
}

std::string errorPage(int status, std::string_view reason, std::string_view reference) {
    const std::string heading = text::escapeHtml(reason.empty() ? "Error" : reason);
    std::string content =
        text::concat("<p class=\"code\">", status, "</p>\n<h1>", heading,
                     "</h1>\n<p class=\"lead\">", explanation(status), "</p>\n", kWaves);
    if (!reference.empty())
        content += text::concat("\n<p class=\"fine\">If you ask for help, quote <code>",
                                text::escapeHtml(reference), "</code>.</p>");
    return ownPage(text::concat(status, " ", heading), content);
}

std::string welcomePage() {
    return ownPage("Welcome to Atoll", kWelcome);
}

} // namespace reef::http
