#!/bin/bash
printf 'Content-Type: text/html\r\n\r\n'
printf '<section><h2>Bash</h2><p>method %s</p></section>\n' "$REQUEST_METHOD"
