import Testing

/// Recordings of browsers and their scenarios.
@Suite struct HARImportTests {
  @Test(arguments: samples) func `a HAR file becomes a scenario that passes the check`(
    _ sample: ImportCase
  ) async throws {
    try await sample.check()
  }

  static let samples: [ImportCase] = [
    ImportCase(
      name: "chrome.har",
      text: ##"""
        {
          "log": {
            "version": "1.2",
            "creator": {"name": "WebInspector", "version": "537.36"},
            "pages": [],
            "entries": [
              {
                "_resourceType": "fetch",
                "startedDateTime": "2026-03-01T10:00:01.250Z",
                "time": 12.5,
                "request": {
                  "method": "POST",
                  "url": "https://shop.example.org/api/login",
                  "httpVersion": "http/2.0",
                  "headers": [
                    {"name": ":authority", "value": "shop.example.org"},
                    {"name": "accept-encoding", "value": "gzip, deflate, br"},
                    {"name": "content-type", "value": "application/json"},
                    {"name": "sec-fetch-mode", "value": "cors"},
                    {"name": "user-agent", "value": "Mozilla/5.0 (X11; Linux x86_64)"}
                  ],
                  "queryString": [],
                  "cookies": [],
                  "postData": {"mimeType": "application/json", "text": "{\"user\":\"ann\",\"password\":\"correct-horse\"}"}
                },
                "response": {
                  "status": 200,
                  "headers": [{"name": "set-cookie", "value": "sid=8f14e45fceea; Path=/; HttpOnly"}],
                  "content": {"mimeType": "application/json", "text": "{}"}
                }
              },
              {
                "startedDateTime": "2026-03-01T10:00:02Z",
                "request": {
                  "method": "GET",
                  "url": "https://shop.example.org/api/items?start=0&length=20#top",
                  "headers": [
                    {"name": "cookie", "value": "sid=8f14e45fceea; consent=granted"},
                    {"name": "user-agent", "value": "Mozilla/5.0 (X11; Linux x86_64)"}
                  ],
                  "queryString": [{"name": "start", "value": "0"}, {"name": "length", "value": "20"}],
                  "cookies": [{"name": "sid", "value": "8f14e45fceea"}, {"name": "consent", "value": "granted"}]
                },
                "response": {"status": 200, "headers": []}
              },
              {
                "startedDateTime": "2026-03-01T10:00:00.900Z",
                "request": {"method": "GET", "url": "data:image/png;base64,AAAA", "headers": []},
                "response": {"status": 200, "headers": []}
              },
              {
                "_resourceType": "websocket",
                "startedDateTime": "2026-03-01T10:00:03Z",
                "request": {"method": "GET", "url": "wss://shop.example.org/live", "headers": []},
                "response": {"status": 101, "headers": []}
              }
            ]
          }
        }

        """##,
      scenario: """
        flow: 1
        inputs:
          password: {type: string, secret: true}
          cookie_consent: {type: string, secret: true}
        components:
          api:
            plugin: http
            with:
              base: https://shop.example.org
              follow: false
              headers: {user-agent: Mozilla/5.0 (X11; Linux x86_64)}
        steps:
          - uses: api.post
            with: {path: api/login, json: {user: ann, password: "${{ inputs.password }}"}}
            expect: {status: 200}
          - uses: api.get
            with:
              path: api/items?start=0&length=20
              headers: {cookie: "consent=${{ inputs.cookie_consent }}"}
            expect: {status: 200}

        """,
      notes: """
        7: the value of 'password' was removed; pass it with --secret password=@FILE
        7: only the status of the answers is expected; '--transcript' records the rest of them
        32: the value of 'cookie consent' was removed; pass it with --secret cookie_consent=@FILE
        46: skipped 2 entries that are not HTTP requests (data:, wss:)

        """),
    ImportCase(
      name: "firefox.har",
      text: """
        {"log": {"version": "1.2", "creator": {"name": "Firefox", "version": "140.0"}, "entries": [
          {"startedDateTime": "2026-03-01T11:00:01.000+01:00",
           "request": {"method": "POST", "url": "http://127.0.0.1:8080/login",
            "headers": [
             {"name": "Host", "value": "127.0.0.1:8080"},
             {"name": "Content-Type", "value": "application/x-www-form-urlencoded"},
             {"name": "Content-Length", "value": "37"},
             {"name": "Connection", "value": "keep-alive"},
             {"name": "Cookie", "value": "theme=dark"}],
            "cookies": [{"name": "theme", "value": "dark"}],
            "postData": {"mimeType": "application/x-www-form-urlencoded",
             "params": [{"name": "user", "value": "ann"}, {"name": "passwd", "value": "correct+horse"}],
             "text": "user=ann&passwd=correct+horse"}},
           "response": {"status": 302, "headers": [{"name": "Location", "value": "/"}]}},
          {"startedDateTime": "2026-03-01T10:30:00.000+01:00",
           "request": {"method": "GET", "url": "http://127.0.0.1:8080/", "headers": [], "cookies": []},
           "response": {"status": 0, "headers": []}}
        ]}}

        """,
      scenario: """
        flow: 1
        inputs:
          cookie_theme: {type: string, secret: true}
          passwd: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: http://127.0.0.1:8080, follow: false}}
        steps:
          - uses: api.get
          - uses: api.post
            with:
              path: login
              headers: {cookie: "theme=${{ inputs.cookie_theme }}"}
              form: {user: ann, passwd: "${{ inputs.passwd }}"}
            expect: {status: 302}

        """,
      notes: """
        2: the value of 'cookie theme' was removed; pass it with --secret cookie_theme=@FILE
        2: the value of 'passwd' was removed; pass it with --secret passwd=@FILE
        2: only the status of the answers is expected; '--transcript' records the rest of them
        15: the request has no response, so no status is expected

        """),
    ImportCase(
      name: "safari.har",
      text: ##"""
        {"log":{"version":"1.2","creator":{"name":"WebKit Web Inspector","version":"1.0"},"entries":[
        {"startedDateTime":"2026-03-01T10:00:00.000Z","request":{"method":"POST","url":"https://up.example.org/photos","headers":[{"name":"Authorization","value":"Basic YW5uOmNvcnJlY3QtaG9yc2U="},{"name":"Content-Type","value":"multipart/form-data; boundary=XyZ"}],"postData":{"mimeType":"multipart/form-data; boundary=XyZ","text":"--XyZ\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nBarn\r\n--XyZ\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"barn.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n\r\n--XyZ--\r\n"}},"response":{"status":201,"headers":[]}},
        {"startedDateTime":"2026-03-01T10:00:01.000Z","request":{"method":"PATCH","url":"https://api.example.org/notes/1","headers":[],"postData":{"mimeType":"text/plain","text":"one\ntwo\n"}},"response":{"status":204,"headers":[]}},
        {"startedDateTime":"2026-03-01T10:00:02.000Z","request":{"method":"OPTIONS","url":"https://api.example.org/notes","headers":[]},"response":{"status":204,"headers":[]}},
        {"startedDateTime":"2026-03-01T10:00:03.000Z","request":{"method":"POST","url":"https://api.example.org/bytes","headers":[],"postData":{"mimeType":"application/octet-stream","text":"\u0000\u0001"}},"response":{"status":200,"headers":[]}}
        ]}}

        """##,
      scenario: """
        flow: 1
        inputs:
          authorization: {type: string, secret: true}
        components:
          api: {plugin: http, with: {follow: false}}
        steps:
          - uses: api.post
            with:
              url: https://up.example.org/photos
              headers: {authorization: "Basic ${{ inputs.authorization }}"}
              multipart: [{name: title, value: Barn}, {name: photo, file: barn.jpg, type: image/jpeg}]
            expect: {status: 201}
          - uses: api.patch
            with:
              url: https://api.example.org/notes/1
              headers: {content-type: text/plain}
              body: |
                one
                two
            expect: {status: 204}
          - uses: api.request
            with: {method: OPTIONS, url: https://api.example.org/notes}
            expect: {status: 204}
          # line 5: a body of bytes is not supported
          - uses: api.post
            with: {url: https://api.example.org/bytes}
            expect: {status: 200}

        """,
      notes: """
        2: the value of 'authorization' was removed; pass it with --secret authorization=@FILE
        2: put the file 'barn.jpg' into the scenario's folder; its content is not copied
        2: only the status of the answers is expected; '--transcript' records the rest of them
        5: a body of bytes is not supported

        """),
    ImportCase(
      name: "odd.har",
      text: """
        {"log": {"entries": [
         {"request": {"method": "", "url": "https://example.org/a", "headers": [],
           "postData": {"mimeType": "application/json", "encoding": "base64", "text": "eyJwaW4iOiAyNzE4MjgsICJhIjogMX0="}},
          "response": {"status": 200}},
         {"request": {"method": "POST", "url": "https://example.org/b?code=5&pin=271828", "headers": [{"name": "Referer", "value": "https://example.org/?token=abcdefgh-1"}],
           "postData": {"mimeType": "text/plain", "encoding": "base64", "text": "/w=="}},
          "response": {"status": 200}},
         {"request": {"method": "GET", "url": "ws://example.org/", "headers": []}, "response": {"status": 200}}
        ]}}

        """,
      scenario: """
        flow: 1
        inputs:
          pin: {type: string, secret: true}
          token: {type: string, secret: true}
        components:
          api: {plugin: http, with: {base: https://example.org, follow: false}}
        steps:
          # line 2: the method of this request is not supported
          - uses: api.request
            with: {method: GET, path: a, json: {pin: "${{ int(inputs.pin) }}", a: 1}}
            expect: {status: 200}
          - uses: api.post
            with:
              path: "b?code=5&pin=${{ inputs.pin }}"
              headers: {referer: "https://example.org/?token=${{ inputs.token }}"}
              bytes: ${{ base64.decode('/w==') }}
            expect: {status: 200}

        """,
      notes: """
        2: the method of this request is not supported
        2: the value of 'pin' was removed; pass it with --secret pin=@FILE
        2: only the status of the answers is expected; '--transcript' records the rest of them
        5: the value of 'token' was removed; pass it with --secret token=@FILE
        8: skipped 1 entry that is not an HTTP request (ws:)

        """),
    ImportCase(
      name: "bodies.har",
      text: #"""
        {"log": {"entries": [
          {"request": {"method": "POST", "url": "https://x.example/a", "postData": {"mimeType": "application/x-www-form-urlencoded; charset=UTF-8",
            "params": [{"name": "wingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwing", "value": "a%26b"}, {"name": "n", "value": "1"}]}}, "response": {"status": 200}},
          {"request": {"method": "POST", "url": "https://x.example/b", "headers": [{"name": "content-type", "value": "image/png"}],
            "postData": {"mimeType": "image/png", "encoding": "base64", "text": "iVBORw0KGgo="}}, "response": {"status": 200}},
          {"request": {"method": "POST", "url": "https://x.example/c", "postData": {"mimeType": "multipart/form-data; boundary=x",
            "params": [{"name": "f", "fileName": "C:\\rows\\a.csv", "contentType": "text/csv"}]}}, "response": {"status": 200}}
        ]}}

        """#,
      scenario: """
        flow: 1
        components:
          api: {plugin: http, with: {base: https://x.example, follow: false}}
        steps:
          - uses: api.post
            with:
              path: a
              headers: {content-type: application/x-www-form-urlencoded}
              body: wingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwingwing=a%26b&n=1
            expect: {status: 200}
          - uses: api.post
            with:
              path: b
              headers: {content-type: image/png}
              bytes: ${{ base64.decode('iVBORw0KGgo=') }}
            expect: {status: 200}
          - uses: api.post
            with:
              path: c
              multipart: [{name: f, file: a.csv, filename: "C:\\\\rows\\\\a.csv", type: text/csv}]
            expect: {status: 200}

        """,
      notes: """
        2: only the status of the answers is expected; '--transcript' records the rest of them
        6: put the file 'a.csv' into the scenario's folder; its content is not copied

        """),
  ]
}
