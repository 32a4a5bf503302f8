#include "admin/frame.h"

namespace reef::admin {
namespace {

Html headOf(const Frame& frame) {
    return html(R"(<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{} · Atoll</title>
<link rel="stylesheet" href="{}">
<link rel="icon" href="{}" type="image/svg+xml">
</head>)",
                frame.title, frame.assets.urlOf("panel.css"), frame.assets.urlOf("icon.svg"));
}

std::string_view isCurrent(const Frame& frame, Place place) noexcept {
    return frame.place == place ? "page" : "false";
}

Html mastheadOf(const Frame& frame) {
    return html(R"(<header class="masthead">
<a class="brand" href="/">{}<span>Atoll <small>panel</small></span></a>
<nav class="places" aria-label="Panel"><a href="/" aria-current="{}">Logbook</a><a href="/islands" aria-current="{}">Islands</a></nav>
<form class="account" method="post" action="/logout">
<input type="hidden" name="csrf" value="{}">
<span>Signed in as <b>{}</b></span>
<button class="plain" type="submit">Sign out</button>
</form>
</header>)",
                logo(), isCurrent(frame, Place::logbook), isCurrent(frame, Place::islands),
                frame.csrf, frame.account);
}

} // namespace

Html logo() {
    return html(
        R"(<svg class="logo" viewBox="-24 -24 48 48" aria-hidden="true"><circle class="sea" r="23"/><circle class="water" r="15"/><path class="land" d="M-15-5A16 16 0 0 1 1-16M9-13A16 16 0 0 1 16 2M14 9A16 16 0 0 1-1 16M-10 12A16 16 0 0 1-16 3"/></svg>)");
}

std::string framedPage(const Frame& frame, const Html& main) {
    return html(R"(<!doctype html>
<html lang="en">
{}
<body>
<a class="skip" href="#main">Skip to the content</a>
{}
<main id="main">
{}
</main>
</body>
</html>
)",
                headOf(frame), mastheadOf(frame), main)
        .take();
}

std::string cardPage(const Frame& frame, const Html& card) {
    return html(R"(<!doctype html>
<html lang="en">
{}
<body class="single">
<main id="main" class="card">
<p class="brand">{}<span>Atoll <small>panel</small></span></p>
{}
</main>
</body>
</html>
)",
                headOf(frame), logo(), card)
        .take();
}

Answer errorAnswer(const Assets& assets, int status, std::string_view title,
                   std::string_view explanation) {
    const Html card = html(R"(<p class="eyebrow">{}</p>
<h1>{}</h1>
<p>{}</p>
<p class="actions"><a class="button" href="/">To the panel</a></p>)",
                           status, title, explanation);
    return answerWith(cardPage(Frame(assets, title), card), status);
}

} // namespace reef::admin
