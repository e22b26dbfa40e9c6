import FlowCore
import FlowTesting
import Foundation
import Synchronization
import TestKit
import Testing

@testable import HTTPPlugin

/// Bodies that go to files.
@Suite struct DownloadTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("old", to: "kept")
  }

  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var settings: [String: any FieldValue & Sendable] = [:]
    let path: String
    let expected: String
    /// The content of the file afterwards.
    var content = "old"
  }

  static let examples: [Example] = [
    Example(
      testDescription: "a body", path: "body",
      expected: #"{status: 200, size: 4, text: "", json: null}"#, content: "new!"),
    Example(
      testDescription: "compressed", path: "gzip",
      expected: #"{status: 200, size: 12, text: "", json: null}"#, content: "zlib deflate"),
    Example(
      testDescription: "a redirect with a body", path: "redirect",
      expected: #"{status: 200, size: 4, text: "", json: null}"#, content: "new!"),
    Example(
      testDescription: "a redirect that is not followed", settings: ["follow": false],
      path: "redirect", expected: #"{status: 302, size: 5, text: "", json: null}"#,
      content: "moved"),
    Example(
      testDescription: "an error page", path: "none",
      expected: #"{status: 404, size: 4, text: "", json: null}"#, content: "page"),
    Example(
      testDescription: "nothing", path: "empty",
      expected: #"{status: 204, size: 0, text: "", json: null}"#, content: ""),
    Example(
      testDescription: "another protocol", path: "chat",
      expected: #"{status: 101, size: 0, text: "", json: null}"#, content: ""),
    Example(
      testDescription: "too long", settings: ["max_bytes": 3], path: "body",
      expected:
        "too_large: URL/body: the response has more than 3 bytes, or its headers more than 256 KiB"),
    Example(
      testDescription: "too long when it is decompressed", settings: ["max_bytes": 11],
      path: "gzip",
      expected:
        "too_large: URL/gzip: the response has more than 11 bytes, or its headers more than 256 KiB"
    ),
    Example(
      testDescription: "broken off", path: "cut",
      expected: "protocol: URL/cut: the response is incomplete"
    ),
    Example(
      testDescription: "never ending", settings: ["timeout": Duration.milliseconds(200)],
      path: "drip", expected: "timeout: URL/drip: no complete response within 0.2s"),
  ]

  @Test(arguments: examples)
  func `a file is the whole body, or it stays as it was`(_ example: Example) async throws {
    let server = try TestServer { request, connection in connection.answer(request.path) }
    defer { server.close() }
    // The default would pass on a machine that runs thousands of other tests meanwhile.
    let settings: [String: any FieldValue] = [
      "base": server.url, "timeout": Duration.seconds(3_000),
    ]
    .merging(example.settings) { $1 }
    let http = try await OpenComponent(HTTP.self, with: settings, in: folder.directory.path)

    let text = await http.fields(
      ["status", "size", "text", "json"], "get", ["path": example.path, "to": "kept"])

    await http.close()
    #expect(text.replacing(server.url, with: "URL") == example.expected)
    #expect(try folder.text("kept") == example.content)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.directory.path) == ["kept"])
  }

  @Test func `a live run compares the digest of what a download wrote`() async throws {
    let body = Mutex("first")
    let server = try TestServer { _, connection in
      connection.send(TestServer.answer("200 OK", [], body.withLock(\.self)))
    }
    defer { server.close() }
    try folder.write(
      """
      flow: 1
      components: {web: {plugin: http, with: {base: "\(server.url)", timeout: 50m}}}
      steps:
        - {uses: web.get, with: {path: a, to: kept}}

      """, to: "s.yaml")
    let scenario = try ScenarioFile(folder.path("s.yaml"))
    let registry = try Registry([HTTP.self])
    let run = try await scenario.run(registry)
    try folder.write(run.transcript, to: "s.transcript.jsonl")
    let recorded = String(decoding: run.transcript, as: UTF8.self)

    let same = await scenario.problemsOfReplay(registry, live: ["web"])
    // A body of the same size.
    body.withLock { $0 = "other" }
    let other = await scenario.problemsOfReplay(registry, live: ["web"])

    let digests = ["first", "other"].map { SHA256(Array($0.utf8)).hexadecimal }
    #expect(recorded.matches(of: /"sha256":"(\w+)"/).map { String($0.1) } == [digests[0]])
    #expect(same == [])
    #expect(other.map(\.code) == ["F3009"])
    #expect(
      other.map(\.text).joined().contains(
        "note: ok.sha256: recorded \"\(digests[0])\", now \"\(digests[1])\"\n"))
  }

  #if os(Linux)
    @Test func `a long body takes no memory`() async throws {
      let length = 200_000_000
      let server = try TestServer { _, connection in
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")
        let piece = [UInt8](repeating: 0x61, count: 1_000_000)
        for _ in 0..<length / piece.count where !connection.send(piece) { return false }
        return true
      }
      defer { server.close() }

      // In a process of its own, where no other test has memory.
      await #expect(processExitsWith: .success) {
        [url = server.url as String, length = length as Int] in
        let folder = try TemporaryFolder()
        let settings: [String: any FieldValue] = ["base": url, "max_bytes": length]
        let growth = try await HTTP.with(settings, in: folder.directory.path) { http in
          let before = try greatestResidentBytes()
          let text = await http.fields(["size"], "get", ["to": "long"])
          precondition(text == "{size: \(length)}", text)
          return try greatestResidentBytes() - before
        }
        precondition(growth < length / 4, "\(growth) bytes more")
      }
    }
  #endif
}

extension TestServer.Connection {
  /// Answers by the path; the result is whether the connection goes on.
  fileprivate func answer(_ path: String) -> Bool {
    switch path {
    case "/body": return send(TestServer.answer("200 OK", [], "new!"))
    case "/none": return send(TestServer.answer("404 Not Found", [], "page"))
    case "/empty": return send("HTTP/1.1 204 No Content\r\n\r\n")
    case "/chat":
      send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: chat\r\n\r\nhello")
      return false
    case "/redirect": return send(TestServer.answer("302 Found", ["Location: /body"], "moved"))
    case "/gzip":
      let body = Array(Data(base64Encoded: "eJyryslMUkhJTctJLEkFAB4sBKc=") ?? Data())
      send("HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: \(body.count)\r\n\r\n")
      return send(body)
    case "/cut":
      send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort")
      return false
    default:
      send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
      while !hasEnded(within: 10), send("a") {}
      return false
    }
  }
}
