import FlowCore
import FlowTesting
import Foundation
import TestKit
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
    #expect(
      bad == "protocol: https://localhost:\(server.port)/: the connection was lost: "
        + "the server says 'certificate required'")
  }

  @Test(arguments: [
    ["pkcs8", "-topk8", "-v2", "aes-256-cbc"], ["ec", "-aes128"],
  ])
  func `an encrypted key needs its passphrase, and ends no process`(
    _ arguments: [String]
  ) async throws {
    try OpenSSL.run(
      arguments + [
        "-in", folder.path("key.pem"), "-out", folder.path("locked.pem"), "-passout", "pass:open",
      ])
    let server = try OpenSSL.Server(folder, ["-Verify", "1", "-CAfile", folder.path("cert.pem")])
    defer { server.stop() }
    let url = "https://localhost:\(server.port)"
    let client: [String: any FieldValue] = [
      "client_cert": "cert.pem", "client_key": "locked.pem", "ca_file": "cert.pem",
    ]

    let good = try await get(url, client.merging(["client_key_password": "open"]) { $1 })
    let bad = try await get(url, client.merging(["client_key_password": "shut"]) { $1 })

    #expect(good == "{status: 200}")
    #expect(
      bad.hasPrefix(
        "tls: \(url)/: the client's certificate, key or 'client_key_password' is wrong: "), "\(bad)"
    )
    await #expect(
      throws: ComponentError(
        .settings,
        "'client_key' is encrypted; give its passphrase in 'client_key_password'")
    ) {
      try await OpenComponent(HTTP.self, with: client, in: folder.directory.path)
    }
  }

  @Test func `a PKCS 12 file has a certificate with its key`() async throws {
    try OpenSSL.run(
      ["pkcs12", "-export", "-in", folder.path("cert.pem"), "-inkey", folder.path("key.pem")]
        + ["-out", folder.path("client.p12"), "-passout", "pass:open"])
    let server = try OpenSSL.Server(folder, ["-Verify", "1", "-CAfile", folder.path("cert.pem")])
    defer { server.stop() }
    let url = "https://localhost:\(server.port)"
    let client: [String: any FieldValue] = ["client_pkcs12": "client.p12", "ca_file": "cert.pem"]

    let good = try await get(url, client.merging(["client_key_password": "open"]) { $1 })
    let bad = try await get(url, client.merging(["client_key_password": "shut"]) { $1 })
    let none = try await get(url, client)

    #expect(good == "{status: 200}")
    let prefix = "tls: \(url)/: the client's certificate, key or 'client_key_password' is wrong: "
    #expect(bad.hasPrefix(prefix), "\(bad)")
    #expect(none.hasPrefix(prefix), "\(none)")
  }

  @Test(arguments: [
    (
      ["-keypbe", "PBE-SHA1-RC2-40", "-certpbe", "PBE-SHA1-RC2-40"],
      """
      the encryption of 'client_pkcs12' is an old one, which this OpenSSL does not support; \
      convert the file: 'openssl pkcs12 -legacy -in old.p12 -out all.pem', then \
      'openssl pkcs12 -export -in all.pem -out new.p12'
      """
    ),
    (
      ["-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-RC4-128"],
      """
      the encryption of 'client_pkcs12' is an old one, which this OpenSSL does not support; \
      convert the file: 'openssl pkcs12 -legacy -in old.p12 -out all.pem', then \
      'openssl pkcs12 -export -in all.pem -out new.p12'
      """
    ),
  ])
  func `an old encryption of PKCS 12 is named with the way to convert the file`(
    _ encryption: [String], _ reason: String
  ) async throws {
    try OpenSSL.run(
      ["pkcs12", "-export", "-legacy", "-in", folder.path("cert.pem")]
        + ["-inkey", folder.path("key.pem"), "-out", folder.path("client.p12")] + encryption
        + ["-passout", "pass:open"])
    let server = try OpenSSL.Server(folder, ["-Verify", "1", "-CAfile", folder.path("cert.pem")])
    defer { server.stop() }
    let url = "https://localhost:\(server.port)"

    let answer = try await get(
      url,
      [
        "client_pkcs12": "client.p12", "ca_file": "cert.pem", "client_key_password": "open",
      ])

    #expect(answer == "tls: \(url)/: \(reason)")
  }

  @Test func `an old encryption of a key, and a key store of Java, are named`() async throws {
    try OpenSSL.run(
      ["pkcs8", "-topk8", "-in", folder.path("key.pem"), "-out", folder.path("locked.pem")]
        + ["-v1", "PBE-MD5-DES", "-passout", "pass:open", "-provider", "legacy"]
        + ["-provider", "default"])
    try folder.write([0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2], to: "client.jks")
    let server = try OpenSSL.Server(folder, ["-Verify", "1", "-CAfile", folder.path("cert.pem")])
    defer { server.stop() }
    let url = "https://localhost:\(server.port)"

    let key = try await get(
      url,
      [
        "client_cert": "cert.pem", "client_key": "locked.pem", "ca_file": "cert.pem",
        "client_key_password": "open",
      ])
    let store = try await get(url, ["client_pkcs12": "client.jks", "ca_file": "cert.pem"])

    #expect(
      key == """
        tls: \(url)/: the encryption of 'client_key' is an old one, which this OpenSSL does not \
        support, or 'client_key_password' is wrong; convert the file: \
        'openssl pkcs8 -topk8 -provider legacy -provider default -in old.pem -out new.pem'
        """)
    #expect(
      store == """
        tls: \(url)/: 'client_pkcs12' is a key store of Java; convert it: 'keytool \
        -importkeystore -srckeystore old.jks -destkeystore new.p12 -deststoretype pkcs12'
        """)
  }

  @Test func `libcurl itself refuses an encrypted key without a passphrase`() async throws {
    try OpenSSL.run(
      ["ec", "-aes128", "-in", folder.path("key.pem"), "-out", folder.path("locked.pem")]
        + ["-passout", "pass:open"])
    let server = try OpenSSL.Server(folder)
    defer { server.stop() }

    // In a process of its own, which older versions have ended.
    await #expect(processExitsWith: .success) {
      [
        url = "https://localhost:\(server.port)/" as String,
        folder = folder.directory.path as String
      ]
      in
      let options = TransferOptions(
        connectTimeout: .seconds(60), proxy: "",
        certificate: try Directory(folder).read("cert.pem"),
        key: try Directory(folder).read("locked.pem"), isInsecure: true)
      let thread = try TransferLease(options, to: nil)
      do {
        _ = try await thread.send(
          Transfer(url: url, method: "GET", headers: [], timeout: .seconds(60), limit: 1000))
        preconditionFailure("the key was accepted")
      } catch let failure as TransferFailure {
        precondition(failure.code == 58, "\(failure)")
      }
    }
  }

  @Test(arguments: ["ca_file", "client_cert"])
  func `a certificate that is encrypted is refused before it is read`(
    _ setting: String
  ) async throws {
    try folder.write(
      "-----BEGIN CERTIFICATE-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAA==\n"
        + "-----END CERTIFICATE-----\n", to: "locked.pem")
    var settings: [String: any FieldValue] = [setting: "locked.pem"]
    if setting == "client_cert" { settings["client_key"] = "key.pem" }

    await #expect(
      throws: ComponentError(
        .settings,
        "'\(setting)' is encrypted"
          + (setting == "ca_file" ? "" : "; give its passphrase in 'client_key_password'"))
    ) {
      try await OpenComponent(HTTP.self, with: settings, in: folder.directory.path)
    }
  }

  @Test func `a server may answer without reading what is sent to it`() async throws {
    let server = try HastyServer(folder)
    defer { server.stop() }
    try folder.write([UInt8](repeating: 0x61, count: 300_000), to: "body")
    let url = "https://localhost:\(server.port)"

    let answers = try await HTTP.with(["ca_file": "cert.pem"], in: folder.directory.path) { http in
      let before = await http.fields(["status", "headers"], "get", ["url": url])
      let sent = await http.fields(["status"], "put", ["url": url, "file": "body"])
      let again = await http.fields(["status"], "post", ["url": url, "body": "text"])
      let after = await http.fields(["status", "headers"], "get", ["url": url])
      return [before, sent, again, after]
    }

    let get = #"{status: 200, headers: {version: "2"}}"#
    #expect(answers == [get, "{status: 200}", "{status: 200}", get])
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
    try run(
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out",
        certificate,
      ])
  }

  static func run(_ arguments: [String]) throws {
    _ = try ChildProcess(try #require(path), arguments).ending()
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

/// A server over TLS, in Python, which answers each head at once: by HTTP/2 it leaves the body of the request alone and
/// ends the stream, as nginx does (RFC 9113, section 8.1).
private final class HastyServer {
  let port: Int
  private let process: ChildProcess

  init(_ folder: TemporaryFolder) throws {
    process = try ChildProcess(
      "/usr/bin/env",
      ["python3", "-c", Self.program, folder.path("cert.pem"), folder.path("key.pem")])
    port = try #require(Int(process.firstLine()))
  }

  func stop() { process.send(SIGKILL) }

  private static let program = """
    import socket, ssl, struct, sys, threading
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    context.set_alpn_protocols(["h2", "http/1.1"])
    def frame(kind, flags, stream, content=b""):
      return struct.pack(">I", len(content))[1:] + struct.pack(">BBI", kind, flags, stream) + content
    def serve2(file):
      file.read(24)
      file.write(frame(4, 0, 0)); file.flush()
      while head := file.read(9):
        kind, flags, stream = struct.unpack(">BBI", head[3:])
        file.read(int.from_bytes(head[:3], "big"))
        if kind == 4 and not flags & 1: file.write(frame(4, 1, 0))
        if kind == 1:
          # The status 200 of the static table, and a header by its name.
          file.write(frame(1, 5, stream, b"\\x88\\x00\\x07version\\x012") + frame(3, 0, stream, bytes(4)))
        file.flush()
    def serve1(file):
      while line := file.readline():
        length = 0
        while (line := file.readline().lower()) not in (b"\\r\\n", b""):
          if line.startswith(b"content-length:"): length = int(line.split(b":")[1])
        file.read(length)
        file.write(b"HTTP/1.1 200 OK\\r\\nVersion: 1\\r\\nContent-Length: 0\\r\\n\\r\\n"); file.flush()
    def serve(plain):
      try:
        connection = context.wrap_socket(plain, server_side=True)
        file = connection.makefile("rwb")
        (serve2 if connection.selected_alpn_protocol() == "h2" else serve1)(file)
      except OSError: pass
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    """
}
