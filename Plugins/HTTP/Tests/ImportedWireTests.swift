import FlowCore
import FlowImport
import FlowTesting
import HTTPCoding
import TestKit
import Testing

@testable import HTTPPlugin

/// Requests of imported files as a server receives them.
@Suite struct ImportedWireTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let file: String
    let text: String
    /// The body of the last request.
    let body: String
    /// Some of its headers.
    var headers: [String: String] = [:]
    /// The names of headers that it does not have.
    var without: [String] = []

    var testDescription: String { id }
  }

  @Test(arguments: samples) func `a request arrives as the other tool sends it`(
    _ sample: Case
  ) async throws {
    let server = try TestServer(answering: { _ in
      TestServer.answer("200 OK", [], #"{"n": 7, "f": 1.5, "t": "a b"}"#)
    })
    defer { server.close() }
    let folder = try TemporaryFolder()
    try folder.write("an owl", to: "a bird.txt")
    let text = sample.text.replacing("SERVER", with: "127.0.0.1:\(server.port)")
    let result = try Import(reading: Array(text.utf8), named: sample.file)
    try folder.write(result.scenario, to: "imported.yaml")
    var options = LiveOptions()
    options.secrets = ["password": "pa:ss wd", "user": "k-4711-4712"]
    let run = try await ScenarioFile(folder.path("imported.yaml")).attempt(
      try Registry([HTTP.self]), options: options)

    let last = try #require(server.requests.last)
    #expect(run.failures == "")
    #expect(last.text == sample.body)
    for (name, value) in sample.headers { #expect(last.headers[name] == value) }
    for name in sample.without { #expect(last.headers[name] == nil, "\(name)") }
  }

  static let samples: [Case] = [
    Case(
      id: "null", file: "a.hurl", text: "POST http://SERVER/x\nnull\nHTTP 200\n", body: "null",
      headers: ["content-type": "application/json"]),
    Case(
      id: "null of curl", file: "a.sh", text: "curl --json null http://SERVER/x", body: "null",
      headers: ["content-type": "application/json"]),
    Case(
      id: "raw", file: "a.hurl",
      text: "POST http://SERVER/x\n[Options]\nvariable: w=5\n```raw\n<{{w}}>\n```\nHTTP 200\n",
      body: "<{{w}}>\n"),
    Case(
      id: "escape", file: "a.hurl",
      text: "POST http://SERVER/x\n```text,escape\na\\tb\n```\nHTTP 200\n", body: "a\tb\n"),
    Case(
      id: "JSON as it is written", file: "a.hurl",
      text:
        "POST http://SERVER/x\n[Options]\nvariable: w=5\n```json\n{ \"wings\" : {{w}}.0 }\n```\nHTTP 200\n",
      body: "{ \"wings\" : 5.0 }\n", headers: ["content-type": "application/json"]),
    Case(
      id: "a computed name", file: "a.hurl",
      text: """
        GET http://SERVER/x
        HTTP 200
        [Captures]
        t: jsonpath "$.t"

        POST http://SERVER/y
        {"the {{t}}": {"{{t}}": [1.50]}}
        HTTP 200

        """, body: #"{"the a b":{"a b":[1.50]}}"#),
    Case(
      id: "file", file: "a.hurl", text: "POST http://SERVER/x\nfile,a\\ bird.txt;\nHTTP 200\n",
      body: "an owl"),
    Case(
      id: "file of a template", file: "a.hurl",
      text: "POST http://SERVER/x\n[Options]\nvariable: b=bird\nfile,a {{b}}.txt;\nHTTP 200\n",
      body: "an owl"),
    Case(
      id: "graphql", file: "a.hurl",
      text: "POST http://SERVER/x\n```graphql\n\n{ owls { id } }\n\n```\nHTTP 200\n",
      body: #"{"query":"{ owls { id } }"}"#),
    Case(
      id: "captures", file: "a.hurl",
      text: """
        GET http://SERVER/x
        HTTP 200
        [Captures]
        n: jsonpath "$.n"
        f: jsonpath "$.f"

        POST http://SERVER/y
        X-N: {{n}}
        X-F: {{f}}
        [Form]
        n: {{n}}
        HTTP 200

        """, body: "n=7", headers: ["x-n": "7", "x-f": "1.5"]),
    Case(
      id: "a user in an address", file: "a.hurl",
      text: "GET http://ann%40example.org:pa%3Ass%20wd@SERVER/x\nHTTP 200\n", body: "",
      headers: ["authorization": "Basic YW5uQGV4YW1wbGUub3JnOnBhOnNzIHdk"]),
    Case(
      id: "a key as the user", file: "a.sh", text: "curl -u k-4711-4712: http://SERVER/x", body: "",
      headers: ["authorization": "Basic ay00NzExLTQ3MTI6"]),
    Case(
      id: "a password without a user", file: "a.sh", text: "curl -u ':pa:ss wd' http://SERVER/x",
      body: "", headers: ["authorization": "Basic OnBhOnNzIHdk"]),
    Case(
      id: "a here-document", file: "a.sh",
      text:
        "N=5\ncurl http://SERVER/x -H 'Content-Type: a/b' --data-binary @- <<END\n<a n=\"$N\">\n\\$</a>\nEND\n",
      body: "<a n=\"5\">\n$</a>\n"),
    Case(
      id: "a quoted here-document", file: "a.sh",
      text: "curl http://SERVER/x -H 'Content-Type: a/b' -d @- <<-'END'\n\ta $N\n\tb\n\tEND\n",
      body: "a $Nb"),
    Case(
      id: "a here-string", file: "a.sh", text: "curl --json @- http://SERVER/x <<< '[1, 2]'",
      body: "[1,2]"),
    Case(
      id: "an upload from a here-document", file: "a.sh",
      text: "curl -T - http://SERVER/x <<E\nan owl\nE\n", body: "an owl\n"),
    Case(
      id: "without the request for compression", file: "a.hurl",
      text: "GET http://SERVER/x\nHTTP 200\n", body: "", headers: ["accept": "*/*"],
      without: ["accept-encoding"]),
    Case(
      id: "without it after a compressed answer", file: "a.hurl",
      text:
        "GET http://SERVER/x\n[Options]\ncompressed: true\nHTTP 200\n\nGET http://SERVER/y\nHTTP 200\n",
      body: "", without: ["accept-encoding"]),
    Case(
      id: "with it", file: "a.hurl",
      text: "GET http://SERVER/x\n[Options]\ncompressed: true\nHTTP 200\n", body: "",
      headers: ["accept-encoding": ContentCoding.accepted]),
    Case(
      id: "without headers that are taken away", file: "a.sh",
      text: "curl -H Accept: -H User-Agent: http://SERVER/x", body: "",
      without: ["accept", "user-agent"]),
    Case(
      id: "an upload without a type", file: "a.sh", text: "curl -T 'a bird.txt' http://SERVER/x",
      body: "an owl", without: ["content-type"]),
    Case(
      id: "JSON with a charset", file: "a.sh",
      text: "curl -H 'Content-Type: application/json; charset=utf-8' -d '[1]' http://SERVER/x",
      body: "[1]", headers: ["content-type": "application/json; charset=utf-8"]),
    Case(
      id: "bytes", file: "a.hurl", text: "POST http://SERVER/x\nhex,61620a;\nHTTP 200\n",
      body: "ab\n"),
    Case(
      id: "a form with a long name", file: "a.hurl",
      text: "POST http://SERVER/x\n[Form]\n\(String(repeating: "owl", count: 70)): a b\nHTTP 200\n",
      body: String(repeating: "owl", count: 70) + "=a%20b",
      headers: ["content-type": "application/x-www-form-urlencoded"]),
  ]
}
