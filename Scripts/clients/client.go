package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

// A reader whose length the client does not know.
type pieces struct{ io.Reader }

func show(answer *http.Response, failure error) {
	if failure != nil {
		panic(failure)
	}
	body, _ := io.ReadAll(answer.Body)
	fmt.Println(strings.TrimSpace(fmt.Sprint(answer.StatusCode, " ", string(body))))
}

func main() {
	base := os.Getenv("BASE")
	show(http.Get(base + "/get?text=a+b"))
	show(http.Post(base+"/json", "application/json", strings.NewReader(`{"barn": 1}`)))
	show(http.Post(base+"/chunked", "text/plain", pieces{strings.NewReader("chunked")}))
	show(http.Head(base + "/get?text=a+b"))
	answer, failure := http.Get(base + "/stream")
	if failure != nil {
		panic(failure)
	}
	var words []string
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "data: ") {
			words = append(words, strings.TrimPrefix(lines.Text(), "data: "))
		}
	}
	fmt.Println(strings.Join(words, ","))
}
