import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import UpstreamPlugin

/// Stubs, and the requests that they answer.
@Suite struct StubTests {
  struct Path: Sendable, CustomTestStringConvertible {
    let pattern: String
    let fitting: [String]
    let others: [String]
    var testDescription: String { pattern }
  }

  @Test(arguments: [
    Path(pattern: "/a", fitting: ["/a"], others: ["/a/", "/A", "/", "/ab", "/a/b", "a"]),
    Path(pattern: "/", fitting: ["/"], others: ["", "//", "/a"]),
    Path(pattern: "/a/*/c", fitting: ["/a/b/c", "/a/*/c"], others: ["/a//c", "/a/b", "/a/b/b/c"]),
    Path(pattern: "/a/{id}", fitting: ["/a/7", "/a/b.json"], others: ["/a", "/a/", "/a/7/8"]),
    Path(pattern: "/a/**", fitting: ["/a", "/a/", "/a/b/c"], others: ["/", "/b/a", "/ab"]),
    Path(pattern: "/**", fitting: ["/", "/a/b"], others: ["*"]),
    Path(pattern: "/a*", fitting: ["/a*"], others: ["/ab"]),
    Path(pattern: "/{}", fitting: ["/{}"], others: ["/a"]),
    Path(pattern: "/**/c", fitting: ["/**/c"], others: ["/b/c", "/a/b/c"]),
  ]) func `a path fits a pattern by its segments`(_ path: Path) {
    let pattern = PathPattern(path.pattern)

    #expect(path.fitting.filter { !pattern.fits($0) } == [])
    #expect(path.others.filter { pattern.fits($0) } == [])
  }

  struct Answered: Sendable, CustomTestStringConvertible {
    let name: String
    let stubs: [String]
    let requests: [[String]]
    let expected: [String]
    var testDescription: String { name }
  }

  @Test(arguments: [
    Answered(
      name: "a whole answer",
      stubs: [
        #"{"path": "/a", "answer": {"status": 201, "headers": {"X-B": "c\nd"}, "json": {"e": [1]}}}"#
      ],
      requests: [["-i", "/a"]],
      expected: [
        "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\nx-b: c\r\nx-b: d\r\n"
          + "Content-Length: 9\r\n\r\n{\"e\":[1]}"
      ]),
    Answered(
      name: "text and bytes",
      stubs: [
        #"{"path": "/t", "answer": {"text": "ü"}}"#, #"{"path": "/e", "answer": {"status": 204}}"#,
        #"{"path": "/h", "answer": {"headers": {"content-type": "text/html"}, "text": "<p>"}}"#,
      ],
      requests: [["-i", "/t"], ["-i", "/h"], ["-i", "/e"]],
      expected: [
        "HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-8\r\nContent-Length: 2\r\n\r\nü",
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nContent-Length: 3\r\n\r\n<p>",
        "HTTP/1.1 204 No Content\r\n\r\n",
      ]),
    Answered(
      name: "the latest that fits, as often as it may",
      stubs: [
        #"{"path": "/{x}", "answer": {"text": "any"}}"#,
        #"{"path": "/a", "method": "POST", "answer": {"text": "post"}}"#,
        #"{"path": "/a", "times": 2, "answer": {"text": "twice"}}"#,
        #"{"path": "/a", "times": 1, "answer": {"text": "once"}}"#,
      ],
      requests: [["/a"], ["/b"], ["/a"], ["-d", "", "/a"], ["-d", "", "/a"], ["/a"]],
      expected: ["once", "any", "twice", "twice", "post", "any"]),
    Answered(
      name: "conditions",
      stubs: [
        #"{"path": "/**", "answer": {"text": "other"}}"#,
        #"{"path": "/q", "query": {"n": 2, "m": null, "l": ["a", "b"]}, "answer": {"text": "q"}}"#,
        #"{"path": "/h", "headers": {"X-Key": "k", "x-no": null}, "answer": {"text": "h"}}"#,
        #"{"path": "/j", "json": {"a": {"b": [1, {"c": "d"}]}}, "answer": {"text": "j"}}"#,
        #"{"path": "/f", "form": {"grant": "code"}, "answer": {"text": "f"}}"#,
      ],
      requests: [
        ["/q?n=2&l=a&l=b&o=1"], ["/q?n=2&l=a&l=b&m="], ["/q?n=3&l=a&l=b"], ["/q?n=2&l=b&l=a"],
        ["-H", "x-key: k", "/h"], ["-H", "x-key: K", "/h"],
        ["-H", "x-key: k", "-H", "X-No: 1", "/h"],
        json(#"{"a": {"b": [1.0, {"c": "d", "e": 1}]}, "f": 2}"#),
        json(#"{"a": {"b": [1, {"c": "d"}, 3]}}"#), json(#"{"a": {"b": [1, {"c": "D"}]}}"#),
        json("[]"), ["-d", "grant=code&x=1", "/f"], ["-d", "grant=token", "/f"],
      ],
      expected: [
        "q", "other", "other", "other", "h", "other", "other", "j", "other", "other", "other", "f",
        "other",
      ]),
    Answered(
      name: "a reset", stubs: [#"{"path": "/d", "answer": {"drop": true}}"#],
      requests: [["/d"]],
      expected: ["curl: (56) Recv failure: Connection reset by peer\n"]),
  ]) func `stubs answer`(_ row: Answered) async throws {
    let upstream = try await OpenUpstream(stubs: row.stubs)

    var answers: [String] = []
    for request in row.requests {
      let arguments = request.dropLast() + [upstream.url + (request.last ?? "")]
      let ending = try await run("curl", ["-sS", "--noproxy", "*"] + arguments)
      answers.append(ending.output + ending.errors)
    }
    await upstream.component.close()

    #expect(answers == row.expected)
    #expect(upstream.component.events == [])
  }

  private static func json(_ text: String) -> [String] {
    ["-H", "content-type: application/json", "-d", text, "/j"]
  }

  @Test func `a delay passes in real time, and ends with a client that gives up`() async throws {
    let upstream = try await OpenUpstream(
      stubs: [
        #"{"path": "/a", "answer": {"text": "late", "delay": "500ms"}}"#,
        #"{"path": "/b", "answer": {"text": "too late", "delay": "1h"}}"#,
      ])
    let clock = ContinuousClock()
    let start = clock.now

    let late = try await curl("\(upstream.url)/a")
    let duration = clock.now - start
    let given = try await curl("-m", "0.2", "\(upstream.url)/b")
    await upstream.component.close()

    #expect(late == "late")
    #expect(duration >= .milliseconds(500))
    #expect(given.hasPrefix("curl: (28) Operation timed out"), "\(given)")
  }

  @Test func `impossible stubs are errors`() async throws {
    let upstream = try await OpenUpstream()

    let texts = [
      try await upstream.text("stub", #"{"path": "a", "answer": {}}"#),
      try await upstream.text("stub", #"{"path": "/a", "answer": {}, "times": 0}"#),
      try await upstream.text("stub", #"{"path": "/a", "answer": {"status": 199}}"#),
      try await upstream.text("stub", #"{"path": "/a", "answer": {"status": 600}}"#),
      try await upstream.text("stub", #"{"path": "/a", "answer": {"delay": "-1s"}}"#),
      try await upstream.text("stub", #"{"path": "/a", "answer": {"json": 1, "text": "b"}}"#),
      try await upstream.text("stub", #"{"path": "/", "answer": {"headers": {"x": "a\u0000b"}}}"#),
      try await upstream.text("stub", #"{"path": "/", "answer": {"headers": {"x": "a\r\nb: c"}}}"#),
    ]

    #expect(
      texts == [
        "invalid: the path 'a' does not start with '/'",
        "invalid: 'times' is 0, and the least is 1",
        "invalid: the status 199 is not between 200 and 599",
        "invalid: the status 600 is not between 200 and 599", "invalid: the delay is negative",
        "invalid: an answer has one body, and 'json' and 'text' are given",
        "invalid: the header 'x' has a carriage return or a control character",
        "invalid: the header 'x' has a carriage return or a control character",
      ])
    await upstream.component.close()
  }

  @Test func `requests are counted and returned, until a reset`() async throws {
    let upstream = try await OpenUpstream(stubs: [#"{"path": "/**", "answer": {}}"#])
    _ = try await curl("\(upstream.url)/a?b=1", "-H", "X-C: d")
    _ = try await curl("\(upstream.url)/a", "-d", "e=f")
    _ = try await curl("\(upstream.url)/g", "-X", "DELETE")

    let texts = [
      try await upstream.text("received", #"{"method": "POST"}"#),
      try await upstream.text("received", #"{"path": "/a", "query": {"b": 1}}"#),
    ]
    let all = try ReceivedRequests.record.decode(try await upstream.component.call("received"))
    let reset = try await upstream.text("reset")
    let none = try await upstream.text("received")
    let missed = try await curl("\(upstream.url)/a")
    await upstream.component.close()

    #expect(
      texts == [
        #"{count: 1, requests: [{method: "POST", path: "/a", host: null, query: {}, "#
          + #"headers: {accept: "*/*", content-type: "application/x-www-form-urlencoded"}, "#
          + #"json: null, form: {e: "f"}, text: null, bytes: null}], "#
          + "answers: [{status: 200, headers: {}, json: null, text: null, bytes: null}]}",
        #"{count: 1, requests: [{method: "GET", path: "/a", host: null, query: {b: "1"}, "#
          + #"headers: {accept: "*/*", x-c: "d"}, json: null, form: null, text: null, "#
          + "bytes: null}], "
          + "answers: [{status: 200, headers: {}, json: null, text: null, bytes: null}]}",
      ])
    #expect(all.requests.map(\.line) == ["GET /a", "POST /a", "DELETE /g"])
    #expect([reset, none] == ["{}", "{count: 0, requests: [], answers: []}"])
    #expect(missed.hasPrefix("flow: nothing answers 'GET /a'"), "\(missed)")
  }

  @Test func `each request is returned with its answer`() async throws {
    let upstream = try await OpenUpstream(stubs: [
      #"{"path": "/json", "answer": {"status": 201, "json": {"id": 7}}}"#,
      #"{"path": "/text", "answer": {"text": "b", "headers": {"x-a": "c"}}}"#,
      #"{"path": "/drop", "answer": {"drop": true}}"#,
    ])
    for path in ["text", "json", "drop", "none"] {
      _ = try? await curl("\(upstream.url)/\(path)")
    }

    let all = try ReceivedRequests.record.decode(try await upstream.component.call("received"))
    await upstream.component.close()

    #expect(
      all.answers?.map { answer in
        answer.map { answer in
          let headers = answer.headers.sorted { $0.key < $1.key }.map { "\($0): \($1)" }
          return "\(answer.status) \(headers) \(answer.json?.json ?? answer.text ?? "")"
        }
      } == [
        #"200 ["content-type: text/plain; charset=utf-8", "x-a: c"] b"#,
        #"201 ["content-type: application/json"] {"id":7}"#, nil,
        "501 [] flow: nothing answers 'GET /none': no stub fits, and the role 'server' is not "
          + "filled; the nearest stub is 'any /drop': the path differs\n",
      ])
  }

  @Test func `names in two forms of Unicode stay apart`() async throws {
    let upstream = try await OpenUpstream(stubs: [#"{"path": "/**", "answer": {}}"#])
    _ = try await curl("\(upstream.url)/a?%C3%A9=1&e%CC%81=2&%C3%A9=3", "-d", "e%CC%81=4&%C3%A9=5")

    let all = try ReceivedRequests.record.decode(try await upstream.component.call("received"))
    let decomposed = try await upstream.text("received", #"{"query": {"e\u0301": "2"}}"#)
    let composed = try await upstream.text("received", #"{"form": {"\u00e9": "4"}}"#)
    await upstream.component.close()

    let request = try #require(all.requests.first)
    #expect(request.query["\u{E9}"] == .list([.string("1"), .string("3")]))
    #expect(request.query["e\u{301}"] == .string("2"))
    #expect(request.form?["\u{E9}"] == .string("5"))
    #expect(request.form?["e\u{301}"] == .string("4"))
    #expect(decomposed.hasPrefix("{count: 1, "))
    #expect(composed == "{count: 0, requests: [], answers: []}")
  }

  @Test func `more requests than are kept make 'received' an error until a reset`() throws {
    let desk = StubDesk()
    let request = ReceivedRequest(
      method: "GET", path: "/", host: nil, query: [:], headers: [:], json: nil, form: nil,
      text: nil, bytes: nil)
    let all = RequestPattern(
      method: nil, path: nil, host: nil, query: [:], headers: [:], json: nil, form: [:])

    for number in 1...StubDesk.mostRequests { desk.note(request, UInt64(number), size: 0) }
    let count = try desk.requests(fitting: all).count
    desk.note(request, 0, size: 0)
    let full = #expect(throws: ComponentError.self) { try desk.requests(fitting: all) }
    desk.reset()
    desk.note(request, 1, size: StubDesk.mostBytes + 1)
    desk.note(GivenAnswer(status: 200, text: ""), to: 1, size: 0)
    #expect(throws: ComponentError.self) { try desk.requests(fitting: all) }
    desk.reset()
    desk.note(request, 1, size: 1)
    desk.note(GivenAnswer(status: 200, text: ""), to: 1, size: StubDesk.mostBytes)
    #expect(throws: ComponentError.self) { try desk.requests(fitting: all) }
    desk.reset()

    #expect(count == 2_000)
    #expect(
      full.map { "\($0)" }
        == "overfull: more than 2000 requests came, or more than 16 MiB of bodies; use 'reset' "
        + "between them")
    #expect(try desk.requests(fitting: all).count == 0)
  }
}
