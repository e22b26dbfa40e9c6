import FlowCore
import FlowTesting
import Foundation
import PluginHarness
import Testing

@testable import HTTPPlugin

/// A server with a certificate for `localhost` that nobody but itself has signed, by the program `openssl`.
@Suite(.enabled(if: OpenSSL.isHere, "there is no program openssl")) struct TLSTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try OpenSSL.makeCertificate(folder.path("key.pem"), folder.path("cert.pem"))
  }

  @Test func `a certificate has to be trusted and to name the host`() async throws {
    let server = try OpenSSL.Server(folder)
    defer { server.stop() }

    let strange = try await get("https://localhost:\(server.port)", [:])
    let misnamed = try await get("https://127.0.0.1:\(server.port)", ["ca_file": "cert.pem"])
    let good = try await get("https://localhost:\(server.port)", ["ca_file": "cert.pem"])
    let insecure = try await get("https://127.0.0.1:\(server.port)", ["insecure": true])

    #expect(strange.hasPrefix("tls: https://localhost:\(server.port)/: "), "\(strange)")
    #expect(misnamed.hasPrefix("tls: https://127.0.0.1:\(server.port)/: "), "\(misnamed)")
    #expect(misnamed.contains("127.0.0.1'"), "\(misnamed)")
    #expect(good == "{status: 200}")
    #expect(insecure == "{status: 200}")
  }

  @Test func `a server may ask for the client's certificate`() async throws {
    let server = try OpenSSL.Server(folder, ["-Verify", "1", "-CAfile", folder.path("cert.pem")])
    defer { server.stop() }
    let client: [String: any FieldValue] = ["client_cert": "cert.pem", "client_key": "key.pem"]
    let trust: [String: any FieldValue] = ["ca_file": "cert.pem"]

    let good = try await get("https://localhost:\(server.port)", client.merging(trust) { $1 })
    let bad = try await get("https://localhost:\(server.port)", trust)

    #expect(good == "{status: 200}")
    // TLS 1.3 refuses when the client believes itself connected.
    #expect(bad == "protocol: https://localhost:\(server.port)/: the connection broke")
  }

  @Test func `plain text on the port of a secure server is a declared error`() async throws {
    let plain = try TestServer(greeting: "220 mail\r\n") { _, _ in false }
    defer { plain.close() }

    let text = try await get("https://127.0.0.1:\(plain.port)", [:])

    #expect(text.hasPrefix("tls: "), "\(text)")
  }

  private func get(_ url: String, _ settings: [String: any FieldValue]) async throws -> String {
    try await HTTP.with(settings, in: folder.directory.path) {
      await $0.fields(["status"], "get", ["url": url])
    }
  }
}

/// The program `openssl`.
private enum OpenSSL {
  static let path = ["/usr/bin/openssl", "/opt/homebrew/bin/openssl", "/usr/local/bin/openssl"]
    .first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  static var isHere: Bool { path != nil }

  static func makeCertificate(_ key: String, _ certificate: String) throws {
    let process = try ChildProcess(
      try #require(path),
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out",
        certificate,
      ])
    _ = process.ending()
  }

  /// `openssl s_server`, which answers each request with a page about the connection.
  final class Server {
    let port: Int
    private let process: ChildProcess

    init(_ folder: TemporaryFolder, _ arguments: [String] = []) throws {
      process = try ChildProcess(
        try #require(path),
        [
          "s_server", "-accept", "0", "-www", "-cert", folder.path("cert.pem"), "-key",
          folder.path("key.pem"),
        ] + arguments)
      port = try #require(Self.port(process))
    }

    func stop() { process.send(SIGKILL) }

    /// The number in the line `ACCEPT 0.0.0.0:41234`.
    private static func port(_ process: ChildProcess) -> Int? {
      var line = process.firstLine()
      while !line.isEmpty, !line.hasPrefix("ACCEPT") { line = process.firstLine() }
      return line.split(separator: ":").last.flatMap { Int($0) }
    }
  }
}
