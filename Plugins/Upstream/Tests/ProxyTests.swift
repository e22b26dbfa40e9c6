import FlowCore
import Foundation
import TestKit
import Testing

@testable import UpstreamPlugin

/// A listener as a proxy, with the clients that programs use.
@Suite(.serialized) struct ProxyTests {
  private static let host: Handler = { listener, request in
    let names = request.headers.map { $0.name.lowercased() }.sorted().joined(separator: ",")
    let text =
      "\(request.method) \(request.isTLS) \(request.host ?? "none") \(request.target) \(names)\n"
    listener.answer(request, AnswerHead(status: 200), body: Array(text.utf8) + request.body)
  }

  /// The folder with the certificate, and the URL of the proxy.
  private struct Setting: Sendable {
    let folder: TemporaryFolder
    let access: ProxyAccess

    init() throws {
      folder = try TemporaryFolder()
      access = ProxyAccess(authority: try CertificateAuthority())
      try access.authority.writeCertificate(to: folder.path("ca.pem"))
      try access.authority.writeBundle(to: folder.path("all.pem"))
    }

    func url(_ listener: Listener, token: String? = nil) -> String {
      "http://flow:\(token ?? access.token)@127.0.0.1:\(listener.port)"
    }
  }

  struct Call: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let expected: String
    var testDescription: String { arguments.joined(separator: " ") }
  }

  @Test(arguments: [
    Call(
      arguments: ["https://pay.example/a?b=1"],
      expected: "GET true pay.example:443 /a?b=1 accept,host,user-agent\n"),
    Call(
      arguments: ["https://pay.example:8443/", "https://pay.example:8443/2"],
      expected: "GET true pay.example:8443 / accept,host,user-agent\n"
        + "GET true pay.example:8443 /2 accept,host,user-agent\n"),
    Call(
      arguments: ["https://127.0.0.9/"],
      expected: "GET true 127.0.0.9:443 / accept,host,user-agent\n"),
    Call(
      arguments: ["https://[::7]/"], expected: "GET true [::7]:443 / accept,host,user-agent\n"),
    Call(
      arguments: ["http://shop.example/a?b=%20"],
      expected: "GET false shop.example /a?b=%20 accept,host,user-agent\n"),
    Call(
      arguments: ["http://shop.example:81?x"],
      expected: "GET false shop.example:81 /?x accept,host,user-agent\n"),
    Call(
      arguments: ["-d", "a=1", "https://pay.example/"],
      expected: "POST true pay.example:443 / accept,content-length,content-type,host,user-agent\n"
        + "a=1"),
  ]) func `curl goes through it`(_ call: Call) async throws {
    let setting = try Setting()

    let output = try await serving(
      Listener(port: 0, proxy: setting.access), Self.host
    ) { listener in
      let ending = try await run(
        "curl",
        ["-sS", "--cacert", setting.folder.path("ca.pem"), "-x", setting.url(listener)]
          + call.arguments)
      return ending.output + ending.errors
    }

    #expect(output == call.expected)
  }

  @Test func `Python's clients go through it by variables`() async throws {
    let setting = try Setting()
    let program = """
      import ssl, sys, urllib.request
      print(urllib.request.urlopen("https://pay.example/1").read().decode().split(" accept")[0])
      print(urllib.request.urlopen("http://shop.example/2").read().decode().split(" accept")[0])
      """

    let ending = try await serving(
      Listener(port: 0, proxy: setting.access), Self.host
    ) { listener in
      try await run(
        "python3", ["-c", program],
        [
          "https_proxy": setting.url(listener), "http_proxy": setting.url(listener),
          "no_proxy": "", "SSL_CERT_FILE": setting.folder.path("all.pem"),
        ])
    }

    #expect(ending.errors == "")
    #expect(
      ending.output == "GET true pay.example:443 /1\nGET false shop.example /2\n")
  }

  @Test func `openssl trusts the certificate of each host`() async throws {
    let setting = try Setting()

    let output = try await serving(
      Listener(port: 0, proxy: setting.access), Self.host
    ) { listener in
      try await run(
        "openssl",
        [
          "s_client", "-proxy", "127.0.0.1:\(listener.port)", "-proxy_user", "flow", "-proxy_pass",
          "pass:\(setting.access.token)", "-connect", "pay.example:443", "-servername",
          "pay.example", "-verify_hostname", "pay.example", "-CAfile",
          setting.folder.path("ca.pem"), "-verify_return_error", "-brief",
        ])
    }

    #expect(
      output.errors.contains("Verification: OK\nVerified peername: pay.example\n"),
      "\(output.errors)")
  }

  struct Stranger: Sendable, CustomTestStringConvertible {
    let request: String
    let expected: String
    var refused: Refusal = .credentials
    var testDescription: String { request.components(separatedBy: "\r").first ?? request }
  }

  private static let unauthorized =
    "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"flow\"\r\n"
    + "Connection: close\r\nContent-Length: 0\r\n\r\n"
  private static let badRequest =
    "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

  @Test(arguments: [
    Stranger(request: "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", expected: unauthorized),
    Stranger(
      request: "CONNECT a:443 HTTP/1.1\r\nProxy-Authorization: Basic Zmxvdzp3cm9uZw==\r\n\r\n",
      expected: unauthorized),
    Stranger(
      request: "CONNECT a:443 HTTP/1.1\r\nProxy-Authorization: \r\n\r\n", expected: unauthorized),
    Stranger(
      request: "CONNECT a/b:443 HTTP/1.1\r\n\r\n", expected: badRequest, refused: .head),
    Stranger(request: "CONNECT  HTTP/1.1\r\n\r\n", expected: badRequest, refused: .head),
    Stranger(request: "CONNECT a:443\r\n\r\n", expected: badRequest, refused: .head),
    Stranger(
      request: "CONNECT a:443 HTTP/1.1\r\nX: " + String(repeating: "x", count: 9000) + "\r\n\r\n",
      expected: "HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n"
        + "Content-Length: 0\r\n\r\n", refused: .head),
    Stranger(
      request: "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
      expected: "HTTP/1.1 407 Proxy Authentication Required\r\nConnection: close\r\n"
        + "Proxy-Authenticate: Basic realm=\"flow\"\r\nContent-Length: 0\r\n\r\n"),
    Stranger(
      request: "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
      expected: "HTTP/1.1 407 Proxy Authentication Required\r\nConnection: close\r\n"
        + "Proxy-Authenticate: Basic realm=\"flow\"\r\nContent-Length: 0\r\n\r\n"),
  ]) func `strangers are refused`(_ stranger: Stranger) async throws {
    let setting = try Setting()
    let (refusals, refusal) = AsyncStream<Refusal>.makeStream()

    let answer = try await serving(
      Listener(port: 0, proxy: setting.access) { refusal.yield($0) }, Self.host
    ) { listener in try await exchange(listener.port, stranger.request) }

    var iterator = refusals.makeAsyncIterator()
    #expect(await iterator.next() == stranger.refused)
    #expect(answer.replacing("<reset>", with: "") == stranger.expected)
  }

  @Test func `a request with the token needs a host`() async throws {
    let setting = try Setting()
    let pair = Bytes(Array("anybody:\(setting.access.token)".utf8)).base64
    let line = "Proxy-Authorization: Basic \(pair)\r\n"

    for target in ["ftp://a/", "http:///a", "https://me@a/", "*", "a"] {
      let answer = try await serving(
        Listener(port: 0, proxy: setting.access), Self.host
      ) { listener in
        try await exchange(
          listener.port, "GET \(target) HTTP/1.1\r\nHost: a\r\n\(line)\r\n")
      }

      #expect(answer == Self.badRequest, "\(target)")
    }
  }

  @Test func `every authority has its own keys, and every access its own token`() throws {
    let setting = try Setting()
    let other = try Setting()
    let again = #expect(throws: ListenerError.self) {
      try setting.access.authority.writeCertificate(to: setting.folder.path("ca.pem"))
    }

    #expect(setting.access.authority.certificate.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
    #expect(setting.access.authority.certificate != other.access.authority.certificate)
    #expect(
      again?.description == "cannot write '\(setting.folder.path("ca.pem"))': File exists")
    #expect(setting.access.token.count == 32)
    #expect(setting.access.token != other.access.token)
  }
}
