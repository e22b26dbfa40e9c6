import FlowCore
import FlowTesting
import Foundation
import TestKit
import Testing

@testable import HTTPPlugin

/// Bodies that are compressed, and those that only say so.
@Suite struct CodingTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let coding: String
    let body: [UInt8]
    /// `text` and `problem`.
    let expected: String

    init(_ id: String, _ coding: String, base64: String, _ expected: String) {
      (testDescription, self.coding, self.expected) = (id, coding, expected)
      body = Array(Data(base64Encoded: base64) ?? Data())
    }

    init(_ id: String, _ coding: String, _ text: String, _ expected: String) {
      (testDescription, self.coding, self.expected) = (id, coding, expected)
      body = Array(text.utf8)
    }
  }

  // Made by Python's gzip and zlib, and by the libraries of brotli and zstd.
  static let examples: [Example] = [
    Example(
      "three members of gzip", "gzip",
      base64:
        "H4sIAAAAAAACA6tWSlSyAgDzf7BqBQAAAB+LCAAAAAAAAgMDAAAAAAAAAAAAH4sIAAAAAAACA4s21DGKrQUAQcdgpwYAAAA=",
      #"{text: "{\"a\":[1,2]}", problem: null}"#),
    Example(
      "zeros behind gzip", "x-gzip",
      base64: "H4sIAAAAAAACAytJzMwBAF20N3wEAAAAAAAAAAAAAAA=", #"{text: "tail", problem: null}"#),
    Example(
      "deflate", "deflate", base64: "eJyryslMUkhJTctJLEkFAB4sBKc=",
      #"{text: "zlib deflate", problem: null}"#),
    Example(
      "deflate without zlib's format", "Deflate", base64: "K0osV0hJTctJLEkFAA==",
      #"{text: "raw deflate", problem: null}"#),
    Example(
      "brotli", "br", base64: "CwWAYnJvdGxpIHRleHQD", #"{text: "brotli text", problem: null}"#),
    Example(
      "two frames of zstd", "zstd", base64: "KLUv/SAEIQAAb25lICi1L/0gAxkAAHR3bw==",
      #"{text: "one two", problem: null}"#),
    Example(
      "deflate within gzip", "deflate, identity,gzip",
      base64: "H4sIAAAAAAACA6uY431K/yQDA4sm4zoAQ9h1KAwAAAA=", #"{text: "both", problem: null}"#),
    Example("identity", "identity", "as it is", #"{text: "as it is", problem: null}"#),
    Example("nothing", "gzip", "", #"{text: "", problem: null}"#),
    Example(
      "an unknown coding", "ISO-8859-1", "{}",
      #"{text: "{}", problem: "unsupported Content-Encoding 'iso-8859-1'; the body is left encoded"}"#
    ),
    Example(
      "no gzip", "gzip", "plain",
      #"{text: "plain", problem: "the gzip data is damaged; the body is left encoded"}"#),
    Example(
      "too many codings", "gzip,gzip,gzip,gzip,gzip,gzip", "plain",
      #"{text: "plain", problem: "too many Content-Encodings (6); the body is left encoded"}"#),
  ]

  @Test(arguments: examples)
  func `a body is decompressed, or it is as it came with a reason`(
    _ example: Example
  ) async throws {
    let text = try await answer(example) { http in
      await http.fields(["text", "problem"], "get")
    }

    #expect(text == example.expected)
  }

  static let broken: [Example] = [
    Example(
      "cut off", "gzip", base64: "H4sIAAAAAAACA0suLVHIT0sDABR4QAQH",
      "the gzip data ends too early"),
    Example(
      "a wrong sum", "gzip", base64: "H4sIAAAAAAACA0tKTFEoLs0FAKFmAAAHAAAA",
      "the gzip data is damaged"),
    Example("half a start", "deflate", "x", "the deflate data ends too early"),
  ]

  @Test(arguments: broken)
  func `broken compression is an answer, and no file`(_ example: Example) async throws {
    let folder = try TemporaryFolder()

    let texts = try await answer(example, in: folder.directory.path) { http in
      [
        await http.fields(["problem", "size"], "get"),
        await http.text("get", ["to": "body"]),
      ]
    }

    #expect(
      texts == [
        "{problem: \"\(example.expected); the body is left encoded\", size: \(example.body.count)}",
        "protocol: URL/: the response cannot be decompressed: \(example.expected); "
          + "to leave it compressed, set 'decompress: false'",
      ])
    #expect(!folder.directory.contains("body"))
  }

  @Test func `what is not to be decompressed is neither asked for nor changed`() async throws {
    let example = Self.examples[3]

    let (text, request) = try await exchange(example, ["decompress": false]) { http in
      await http.fields(["bytes", "problem"], "get")
    }

    #expect(text == "{bytes: \(Value.bytes(Bytes(example.body))), problem: null}")
    #expect(request.headers["accept-encoding"] == nil)
  }

  @Test func `all codings that the system knows are accepted, unless a step says which`()
    async throws
  {
    let example = Self.examples[9]

    let (_, request) = try await exchange(example) { await $0.text("get") }
    let (_, other) = try await exchange(example) {
      await $0.text("get", ["headers": ["accept-encoding": "br;q=0.5"]])
    }

    #expect(request.headers["accept-encoding"] == "deflate, gzip, br, zstd")
    #expect(other.headers["accept-encoding"] == "br;q=0.5")
  }

  private func answer<Success>(
    _ example: Example, in folder: String = ".", _ work: (OpenComponent) async throws -> Success
  ) async throws -> Success {
    try await exchange(example, in: folder, work).0
  }

  private func exchange<Success>(
    _ example: Example, _ settings: [String: any FieldValue] = [:], in folder: String = ".",
    _ work: (OpenComponent) async throws -> Success
  ) async throws -> (Success, TestServer.Request) {
    let server = try TestServer { _, connection in
      connection.send(
        "HTTP/1.1 200 OK\r\nContent-Encoding: \(example.coding)\r\n"
          + "Content-Length: \(example.body.count)\r\n\r\n")
      return connection.send(example.body)
    }
    defer { server.close() }
    let result = try await HTTP.with(settings.merging(["base": server.url]) { $1 }, in: folder) {
      let result = try await work($0)
      return (result as? [String])?.map { $0.replacing(server.url, with: "URL") } as? Success
        ?? result
    }
    return (result, try #require(server.requests.last))
  }
}
