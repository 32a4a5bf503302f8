package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Print("Content-Type: text/html\r\n\r\n")
	fmt.Printf("<section><h2>Go</h2><p>method %s</p></section>\n", os.Getenv("REQUEST_METHOD"))
}
