import FlowCore
import FlowTesting
import Foundation
import TestKit
import Testing

@testable import WebSocketPlugin

/// Connections over TLS, and what is left of connections.
@Suite struct SecureTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.configuration, to: "openssl.cnf")
    let openssl = try ChildProcess(
      "/usr/bin/env",
      [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
        "-days", "2", "-config", folder.path("openssl.cnf"), "-keyout", folder.path("key.pem"),
        "-out", folder.path("cert.pem"),
      ])
    try #require(openssl.ending().code == 0)
  }

  @Test func `a message goes over TLS to a server that is trusted`() async throws {
    let server = try SecureServer(folder)

    let answers = try await Self.answers(["base": server.url, "ca_file": "cert.pem"], in: folder)

    #expect(
      answers == [
        #"{status: 101, headers: {}, protocol: null, text: null, bytes: null, stream: "/a#1"}"#,
        #"{json: null, layout: null, text: "hello", bytes: null, end: false, code: null, reason: null}"#,
      ])
  }

  @Test func `another server is not trusted`() async throws {
    let server = try SecureServer(folder)

    let answers = try await Self.answers(["base": server.url], in: folder)

    #expect(answers[0].hasPrefix("tls: \(server.url)/a: "), "\(answers[0])")
  }

  private static func answers(
    _ settings: [String: any FieldValue], in folder: TemporaryFolder
  ) async throws -> [String] {
    let socket = try await OpenComponent(WebSocket.self, with: settings, in: folder.directory.path)
    let answers = [
      await socket.text("exchange", ["path": "/a"]),
      await socket.text("piece", ["stream": "/a#1"]),
    ]
    await socket.close()
    return answers
  }

  @Test func `no connection is left when the component is closed`() async throws {
    let server = try WebSocketServer()

    try await WebSocket.with(server) { socket in
      _ = await socket.text("connect", ["path": "report"])
      _ = await socket.text("exchange", ["path": "/report"])
    }

    // The server prints the last frame of each connection.
    #expect([server.line(), server.line()] == ["8 03e9", "8 03e9"])
  }

  private static let configuration = """
    [req]
    distinguished_name = name
    x509_extensions = extensions
    prompt = no
    [name]
    CN = 127.0.0.1
    [extensions]
    subjectAltName = IP:127.0.0.1
    """
}

/// A server over TLS, in Python, which sends one message on each connection.
private final class SecureServer: Sendable {
  let url: String
  private let process: ChildProcess

  init(_ folder: TemporaryFolder) throws {
    process = try ChildProcess(
      "/usr/bin/env",
      ["python3", "-c", Self.program, folder.path("cert.pem"), folder.path("key.pem")])
    url = "wss://127.0.0.1:\(try #require(Int(process.firstLine())))"
  }

  deinit { process.send(SIGKILL) }

  private static let program = """
    import base64, hashlib, socket, ssl, sys
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    context.set_alpn_protocols(["h2", "http/1.1"])
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True:
      try:
        stream = context.wrap_socket(listener.accept()[0], server_side=True)
        file = stream.makefile("rb")
        while (line := file.readline().decode()) != "\\r\\n":
          if line.startswith("Sec-WebSocket-Key: "): key = line.split(" ")[1].strip()
        digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        stream.sendall(b"HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n"
          + b"Sec-WebSocket-Accept: " + base64.b64encode(digest) + b"\\r\\n\\r\\n\\x81\\x05hello")
        file.read()
      except OSError: pass
    """
}
