import Foundation
import TestKit
import Testing

@testable import UpstreamPlugin

/// Connections through the proxy to a host.
@Suite(.serialized) struct TunnelTests {
  private static let python = """
    import base64, socket, ssl, sys
    port, token, authority, mode = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
    client = socket.create_connection(("127.0.0.1", port))
    user = base64.b64encode(b"flow:" + token.encode()).decode()
    head = f"CONNECT chat.example:443 HTTP/1.1\\r\\nProxy-Authorization: Basic {user}\\r\\n\\r\\n"
    client.sendall(head.encode())
    while not client.recv(1000).endswith(b"\\r\\n\\r\\n"): pass
    client = ssl.create_default_context(cafile=authority).wrap_socket(
      client, server_hostname="chat.example", suppress_ragged_eofs=False)
    def receive(end):
      text = b""
      while not text.endswith(end):
        piece = client.recv(1)
        if not piece: break
        text += piece
      return text
    client.sendall(b"GET / HTTP/1.1\\r\\nHost: chat.example\\r\\nConnection: Upgrade\\r\\n"
      b"Upgrade: websocket\\r\\n\\r\\none.")
    print(receive(b"\\r\\n\\r\\n").split(b"\\r\\n")[0].decode(), receive(b".").decode())
    body = b"x." * 200000
    client.sendall(body)
    back = b""
    while len(back) < len(body): back += client.recv(65536)
    print(back == body)
    if mode == "client":
      client.close()
    else:
      client.sendall(mode.encode())
      try: print(client.recv(1000))
      except OSError as error: print(type(error).__name__)
    """

  struct Tunnel: Sendable, CustomTestStringConvertible {
    let mode: String
    let ending: String
    var testDescription: String { mode }
  }

  /// Sends back what comes up to a word, and does what the word says.
  private static let obedient: Handler = { listener, request in
    listener.upgrade(request, AnswerHead(status: 101))
    var word: [UInt8] = []
    while let bytes = try? await listener.read(request) {
      let split = bytes.lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? 0
      word += bytes[split...]
      switch String(decoding: word, as: UTF8.self) {
      case "finish": return listener.finish(request)
      case "close": return listener.end(request, by: .close)
      case "reset": return listener.end(request, by: .reset)
      case "stop": return await listener.close()
      default: break
      }
      try? await listener.write(request, piece: Array(bytes[..<split]))
    }
    listener.finish(request)
  }

  @Test(arguments: [
    Tunnel(mode: "client", ending: ""), Tunnel(mode: "finish", ending: "b''\n"),
    Tunnel(mode: "close", ending: "b''\n"), Tunnel(mode: "reset", ending: "SSLEOFError\n"),
    Tunnel(mode: "stop", ending: "SSLEOFError\n"),
  ]) func `bytes pass through a tunnel as well`(_ tunnel: Tunnel) async throws {
    let folder = try TemporaryFolder()
    let access = ProxyAccess(authority: try CertificateAuthority())
    try access.authority.writeCertificate(to: folder.path("ca.pem"))

    let ending = try await serving(
      Listener(port: 0, proxy: access), Self.obedient
    ) { listener in
      try await run(
        "python3",
        ["-c", Self.python, "\(listener.port)", access.token, folder.path("ca.pem"), tunnel.mode])
    }

    #expect(ending.errors == "")
    #expect(ending.output == "HTTP/1.1 101 Switching Protocols one.\nTrue\n" + tunnel.ending)
  }

  // MARK: - Protocols

  struct Proxied: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let expected: String
    var testDescription: String { arguments.joined(separator: " ") }
  }

  @Test(arguments: [
    Proxied(arguments: ["https://a.example/"], expected: "2 true a.example:443\n"),
    Proxied(arguments: ["--http1.1", "https://a.example/"], expected: "1.1 true a.example:443\n"),
    Proxied(arguments: ["-p", "http://a.example:81/"], expected: "1.1 false a.example:81\n"),
    Proxied(
      arguments: ["-p", "--http2-prior-knowledge", "http://a.example/"],
      expected: "2 false a.example:80\n"),
    Proxied(arguments: ["http://a.example/"], expected: "1.1 false a.example\n"),
  ]) func `a tunnel has the protocol that its program chooses`(_ proxied: Proxied) async throws {
    let folder = try TemporaryFolder()
    let access = ProxyAccess(authority: try CertificateAuthority())
    try access.authority.writeCertificate(to: folder.path("ca.pem"))

    let ending = try await serving(
      Listener(port: 0, proxy: access),
      { listener, request in
        let text = " \(request.isTLS) \(request.host ?? "none")\n"
        listener.answer(request, AnswerHead(status: 200), body: Array(text.utf8))
      }
    ) { listener in
      try await run(
        "curl",
        [
          "-sS", "--cacert", folder.path("ca.pem"), "-x",
          "http://flow:\(access.token)@127.0.0.1:\(listener.port)", "-w",
          "%{stderr}%{http_version}",
        ] + proxied.arguments)
    }

    #expect(ending.errors + ending.output == proxied.expected)
  }

  @Test func `the proxy itself speaks HTTP/2, with its token`() async throws {
    let access = ProxyAccess(authority: try CertificateAuthority())
    let pair = Data("anyone:\(access.token)".utf8).base64EncodedString()

    let frames = try await serving(
      Listener(port: 0, proxy: access),
      { listener, request in
        let text = "\(request.user ?? "none") \(request.host ?? "none") \(request.headers.count)"
        listener.answer(request, AnswerHead(status: 200), body: Array(text.utf8))
      }
    ) { listener in
      try await onThread {
        let client = try FrameClient(listener.port)
        client.socket.send(
          FrameClient.head("GET", "/", [("proxy-authorization", "Basic \(pair)")])
            + FrameClient.head(stream: 3))
        return client.frames(count: 3)
      }
    }

    // The two are answered in any order.
    #expect(frames.sorted() == ["DATA 1 anyone a 1 end", "HEADERS 1", "HEADERS 3 end"])
  }

  @Test func `an answer given before the end arrives whole`() async throws {
    let folder = try TemporaryFolder()
    let access = ProxyAccess(authority: try CertificateAuthority())
    try access.authority.writeCertificate(to: folder.path("ca.pem"))
    let body = [UInt8](repeating: 65, count: 1 << 20)

    let ending = try await serving(
      Listener(port: 0, proxy: access),
      { listener, request in
        listener.answer(request, AnswerHead(status: 200), body: body)
        await listener.close()
      }
    ) { listener in
      try await run(
        "curl",
        [
          "-sS", "--cacert", folder.path("ca.pem"), "--http1.1", "-x",
          "http://flow:\(access.token)@127.0.0.1:\(listener.port)", "https://a.example/",
        ])
    }

    #expect(ending.errors == "")
    #expect(ending.output.utf8.count == body.count)
  }
}
