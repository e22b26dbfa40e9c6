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
}
