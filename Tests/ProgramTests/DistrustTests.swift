import TestKit
import Testing

/// Real clients that refuse the certificates of an upstream, or accept them.
@Suite(.serialized) struct DistrustTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The programs, one after the other, with `TRUST` for the variables that trust the certificate.
    let programs: [[String]]
    var rest = ""
    /// The error at the end, or nil for a run that passes.
    var error: String?
  }

  private static let curl = ["sh", "-c", "curl -s https://pay.example/a; echo end"]
  private static let refused =
    "a program connected to 'https://pay.example' and refused the certificate, or asked nothing"
  /// A client that checks the certificate once the handshake is over, as Node does.
  private static let late = """
    import os, socket, ssl, base64, urllib.parse
    proxy = urllib.parse.urlsplit(os.environ["HTTPS_PROXY"])
    plain = socket.create_connection((proxy.hostname, proxy.port))
    token = base64.b64encode(f"{proxy.username}:{proxy.password}".encode()).decode()
    head = ["CONNECT pay.example:443 HTTP/1.1", f"Proxy-Authorization: Basic {token}", "", ""]
    plain.sendall("\\r\\n".join(head).encode())
    plain.recv(1000)
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.wrap_socket(plain, server_hostname="pay.example").close()
    print("end")
    """

  static let rows = [
    Row(testDescription: "curl without the authority", programs: [curl], error: refused),
    Row(
      testDescription: "Python without the authority",
      programs: [
        [
          "python3", "-c",
          """
          import urllib.request
          try: urllib.request.urlopen("https://pay.example/a")
          except OSError: print("end")
          """,
        ]
      ], error: refused),
    Row(
      testDescription: "a client that asks nothing after the handshake",
      programs: [["python3", "-c", late]], error: refused),
    Row(testDescription: "curl with the authority", programs: [["TRUST"] + curl]),
    Row(
      testDescription: "a client that refuses beside one that does not",
      programs: [["TRUST"] + curl, curl], error: refused),
    Row(
      testDescription: "a connection without a request beside a request",
      programs: [["python3", "-c", late], ["TRUST"] + curl]),
    Row(
      testDescription: "a host that the upstream does not stand for",
      programs: [["sh", "-c", "curl -s https://other.example/; echo end"]]),
    Row(
      testDescription: "a scenario that asks for the requests", programs: [curl],
      rest: "  - {uses: pay.received, expect: {count: 0}}\n"),
  ]

  private static func scenario(_ row: Row) -> String {
    let head = """
      flow: 1
      components:
        pay: {plugin: upstream, live: true, with: {hosts: {pay.example: server}}}
        programs: {plugin: process, live: true}
      steps:
        - {uses: pay.stub, with: {path: /a, answer: {text: "paid\\n"}}}
        - {id: trust, uses: pay.environment}
        - id: plain
          uses: pay.environment
          with: {add: {CURL_CA_BUNDLE: none.pem, SSL_CERT_FILE: none.pem}}

      """
    let steps = row.programs.map { program in
      let isTrusting = program[0] == "TRUST"
      let arguments = program.dropFirst(isTrusting ? 1 : 0).map(quoted).joined(separator: ", ")
      let variables = "${{ steps.\(isTrusting ? "trust" : "plain").variables }}"
      return """
          - uses: programs.run
            with: {argv: [\(arguments)], env: "\(variables)"}
            expect: {status: 0, stdout: "${{ it.contains('end') }}"}

        """
    }
    return head + steps.joined() + row.rest
  }

  private static func quoted(_ text: String) -> String {
    "\""
      + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing(
        "\n", with: "\\n")
      + "\""
  }

  @Test(arguments: rows)
  func `a refused certificate fails the recording and the test`(_ row: Row) async throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "none.pem")
    try folder.write(Self.scenario(row), to: "s.yaml")

    for arguments in [["run", "s.yaml", "--quiet", "--record"], ["test", "s.yaml", "--quiet"]] {
      let run = try await BuiltProgram.run("flow", arguments, in: folder)
      let lines = run.errors.split(separator: "\n").filter { $0.contains("[F2011]") }
      #expect(lines.count == (row.error == nil ? 0 : 1), "\(run.errors)\(run.output)")
      guard let error = row.error else {
        #expect(run.code == 0, "\(run.errors)\(run.output)")
        continue
      }
      #expect(run.code == 1)
      #expect(run.errors.contains("'pay' notes the error 'untrusted': \(error) [F2011]"))
      #expect(run.errors.contains("needs the file 'certificate' of 'environment'"))
    }
  }
}
