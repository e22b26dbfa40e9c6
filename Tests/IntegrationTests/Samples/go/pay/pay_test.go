package pay_test

import (
	"net/http"
	"os"
	"testing"

	"flowtape"
)

func ask(t *testing.T) {
	t.Parallel()
	flowtape.Test(t)
	base := os.Getenv("SHOP")
	if base == "" {
		base = "http://127.0.0.1:1"
	}
	if _, problem := http.Get(base + "/loopback"); problem != nil {
		t.Error(problem)
	}
}

func TestOne(t *testing.T) { ask(t) }

func TestTwo(t *testing.T) { ask(t) }
