// Package flowtape gives each test its own scope on the tape of flow. Without FLOW_TAPE it does nothing.
package flowtape

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	proxy *url.URL // Nil without flow.
	flow  = &http.Client{Transport: &http.Transport{}, Timeout: time.Minute}
	lock  sync.Mutex
	open  []string // The tests that have begun, the innermost one last.
)

func init() {
	if os.Getenv("FLOW_TAPE") == "" {
		return
	}
	proxy, _ = url.Parse(os.Getenv("FLOW_TAPE"))
	// `go test ./...` runs a process for each package, several at once.
	token, _ := proxy.User.Password()
	proxy.User = url.UserPassword(fmt.Sprintf("flow-%d", os.Getpid()), token)
	for _, name := range []string{"FLOW_TAPE", "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
		os.Setenv(name, proxy.String())
	}
	// Proxies of the environment leave out loopback addresses.
	http.DefaultTransport.(*http.Transport).Proxy = Proxy
}

// Proxy is for the transports of a program that does not use http.DefaultTransport, or a clone of it.
func Proxy(request *http.Request) (*url.URL, error) {
	if proxy == nil {
		return http.ProxyFromEnvironment(request)
	}
	host := request.URL.Hostname()
	for _, direct := range strings.Split(os.Getenv("NO_PROXY"), ",") {
		if direct != "" && (direct == request.URL.Host || strings.HasSuffix("."+host, "."+direct)) {
			return nil, nil
		}
	}
	return proxy, nil
}

// Test makes the requests those of a test until its cleanups are over. A difference fails it then.
func Test(t testing.TB) {
	t.Helper()
	if proxy == nil {
		return
	}
	caller, _, _, _ := runtime.Caller(1)
	name := packageOf(runtime.FuncForPC(caller).Name()) + "." + t.Name()
	lock.Lock()
	defer lock.Unlock()
	if last := len(open) - 1; last >= 0 && !strings.HasPrefix(name, open[last]+"/") {
		t.Fatalf("flow: %s has not ended; run the tests with -parallel 1, and call Test after Parallel", open[last])
	}
	if !say(t, "begin", name) {
		t.FailNow()
	}
	open = append(open, name)
	// The first cleanup is the last one to run.
	t.Cleanup(func() {
		t.Helper()
		lock.Lock()
		defer lock.Unlock()
		open = open[:len(open)-1]
		say(t, "end", name)
	})
}

// packageOf returns the package of a function, such as `example.com/shop_test.TestLamp.func1`.
func packageOf(function string) string {
	start := strings.LastIndex(function, "/") + 1
	last, _, _ := strings.Cut(function[start:], ".")
	// A dot in the name is escaped, and a test may be in a package beside the tested one.
	last, _ = url.PathUnescape(strings.TrimSuffix(last, "_test"))
	return function[:start] + last
}

// say begins or ends a scope, or fails the test and returns false.
func say(t testing.TB, verb, test string) bool {
	t.Helper()
	body, _ := json.Marshal(map[string]string{"test": test})
	request, _ := http.NewRequest("POST", "http://"+proxy.Host+"/"+verb, bytes.NewReader(body))
	user := base64.StdEncoding.EncodeToString([]byte(proxy.User.String()))
	request.Header.Set("Proxy-Authorization", "Basic "+user)
	request.Header.Set("Content-Type", "application/json")
	answer, problem := flow.Do(request)
	if problem != nil {
		t.Error("flow:", problem)
		return false
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	if answer.StatusCode == http.StatusConflict {
		t.Error(string(text))
	} else if answer.StatusCode != http.StatusNoContent {
		t.Errorf("flow: %d %s", answer.StatusCode, text)
	}
	return answer.StatusCode == http.StatusNoContent
}
