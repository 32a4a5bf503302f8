#!/usr/bin/python3
import html
import os
import urllib.parse

name = urllib.parse.parse_qs(os.environ["QUERY_STRING"]).get("name", ["reader"])[0]
print("Content-Type: text/html\r\n\r")
print(f"<section><h2>Python</h2><p>method {os.environ['REQUEST_METHOD']}, {html.escape(name)}</p></section>")
