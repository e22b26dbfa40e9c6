import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import HTTPPlugin

/// Signatures of version 4, computed again by Python's own library.
@Suite struct SignatureTests {
  private static let check = """
    import hashlib, hmac, json, re, sys
    sent = json.load(sys.stdin)
    given = dict(re.findall(r"(\\w+)=([^, ]+)", sent["headers"]["authorization"]))
    scope = given["Credential"].split("/")[1:]
    lines = [n + ":" + " ".join(sent["headers"].get(n, "").split()) for n in given["SignedHeaders"].split(";")]
    path, _, query = sent["path"].partition("?")
    query = "&".join(sorted(query.split("&")))
    content = hashlib.sha256(sent["body"].encode()).hexdigest()
    request = "\\n".join([sent["method"], path, query, *lines, "", given["SignedHeaders"], content])
    text = "\\n".join(["AWS4-HMAC-SHA256", sent["headers"]["x-amz-date"], "/".join(scope), hashlib.sha256(request.encode()).hexdigest()])
    key = b"AWS4open sesame"
    for part in scope:
        key = hmac.digest(key, part.encode(), "sha256")
    good = hmac.digest(key, text.encode(), "sha256").hex() == given["Signature"]
    print("/".join(scope[1:]), good, "x-amz-security-token" in given["SignedHeaders"])
    """

  struct Example: Sendable {
    var operation: String
    var input: [String: any FieldValue & Sendable]
    var path: String
  }

  static let examples: [Example] = [
    Example(operation: "get", input: [:], path: "/"),
    Example(operation: "get", input: ["path": "a?z&b=1&a=x%20y"], path: "/a?a=x%20y&b=1&z="),
    Example(
      operation: "get", input: ["path": "S\u{E3}o (1)/!*"], path: "/S%C3%A3o%20%281%29/%21%2A"),
    Example(operation: "put", input: ["path": "a", "body": "barn"], path: "/a"),
    Example(
      operation: "post", input: ["path": "a", "form": Value.map(ValueMap([("b", .int(1))]))],
      path: "/a"),
    Example(operation: "delete", input: ["headers": ["X-Amz-Meta": "a   b"]], path: "/"),
    Example(
      operation: "get",
      input: ["headers": Value.map(ValueMap([("X-Tag", .list([.string("b"), .string("a")]))]))],
      path: "/"),
  ]

  @Test(.enabled(if: Python.having("hmac") != nil), arguments: examples.indices)
  func `requests are signed as the service computes it`(_ index: Int) async throws {
    let example = Self.examples[index]
    let server = try TestServer.echo()
    defer { server.close() }
    let key: KeyValuePairs<String, String> = [
      "region": "eu-central-1", "service": "s3", "access_key": "AK", "secret_key": "open sesame",
      "session_token": "token/of+session==",
    ]
    let auth = Value.map(
      ValueMap([("sigv4", .map(ValueMap(key.map { ($0.key, Value.string($0.value)) })))]))

    _ = try await HTTP.with(["base": server.url, "auth": auth]) {
      await $0.text(example.operation, example.input)
    }

    let request = try #require(server.requests.first)
    #expect(request.path == example.path)
    #expect(try verdict(on: request) == "eu-central-1/s3/aws4_request True True\n")
  }

  private func verdict(on request: TestServer.Request) throws -> String {
    let headers = request.headers.sorted { $0.key < $1.key }.map {
      ($0.key, Value.string($0.value))
    }
    let sent = Value.map(
      ValueMap([
        ("method", .string(request.method)), ("path", .string(request.path)),
        ("headers", .map(ValueMap(headers))), ("body", .string(request.text)),
      ]))
    let folder = try TemporaryFolder()
    try folder.write(Self.check, to: "check.py")
    try folder.write(sent.json, to: "sent.json")
    let python = try #require(Python.having("hmac"))
    return try ChildProcess(
      "/bin/sh", ["-c", "exec \"$0\" check.py < sent.json", python], in: folder.directory.path
    ).ending().output
  }
}
