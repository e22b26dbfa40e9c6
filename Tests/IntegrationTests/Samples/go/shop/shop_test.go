package shop

import (
	"io"
	"net/http"
	"os"
	"testing"

	"flowtape"
)

func ask(t *testing.T, path string) {
	t.Helper()
	base := os.Getenv("SHOP")
	if base == "" {
		base = "https://pay.example"
	}
	answer, problem := http.Get(base + "/" + path)
	if problem != nil {
		t.Fatal(problem)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	if string(text) != "answer" {
		t.Error(string(text))
	}
}

func TestLamp(t *testing.T) {
	flowtape.Test(t)
	t.Cleanup(func() { ask(t, "lamp-goes") })
	if os.Getenv("LAMP") == "" {
		ask(t, "lamp")
	}
	t.Run("large", func(t *testing.T) {
		flowtape.Test(t)
		ask(t, "large")
	})
}

func TestSkipped(t *testing.T) {
	t.Skip("a skipped test says nothing")
	flowtape.Test(t)
}
