import FlowCore
import Foundation
import TestKit
import Testing

/// A run that goes on after a kill between the requests of its programs.
@Suite struct ResumedProgramTests {
  /// Prints the path of each request after its port.
  private static let server = """
    import http.server
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            with open("asked", "a") as asked: asked.write(self.path)
            self.send_response(200)
            self.send_header("content-length", "2")
            self.end_headers()
            self.wfile.write(b"ok")
        def log_message(self, *a): pass
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()

    """

  private static let scenario = """
    flow: 1
    inputs: {base: {type: string}}
    components:
      api: {plugin: http, with: {base: "${{ inputs.base }}"}}
      up: {plugin: upstream, live: true, using: {server: api}}
      programs: {plugin: process, live: true}
    steps:
      - {id: port, uses: up.address}
      - set: {env: "${{ {'API': steps.port.url} }}"}
      - {uses: programs.run, with: {argv: [sh, ask.sh, /a], env: "${{ env }}"}}
      - uses: programs.run
        with: {argv: [sh, -c, "sh ask.sh /b; test -e go || kill -9 $PPID"], env: "${{ env }}"}
      - {uses: programs.run, with: {argv: [sh, ask.sh, /c], env: "${{ env }}"}}
      - {uses: programs.run, with: {argv: [sh, ask.sh, /a], env: "${{ env }}"}}

    """

  @Test func `finished requests are not repeated, and equal ones after them are new`() async throws
  {
    let folder = try TemporaryFolder()
    try folder.write(Self.server, to: "server.py")
    try folder.write(Self.scenario, to: "scenario.yaml")
    try folder.write("curl -sS --noproxy '*' \"$API$1\"\n", to: "ask.sh")
    let server = try ChildProcess(
      "/usr/bin/env", ["python3", "server.py"], in: folder.directory.path)
    defer { server.send(SIGKILL) }
    let base = "http://127.0.0.1:\(server.firstLine())"

    let killed = try await BuiltProgram.run(
      "flow",
      ["run", "scenario.yaml", "--journal", "journal", "--quiet", "--input", "base=\(base)"],
      in: folder)
    let before = try folder.text("asked")
    try folder.write("", to: "go")
    let resumed = try await BuiltProgram.run(
      "flow", ["resume", "journal", "--retry-unknown", "--quiet"], in: folder)

    #expect(killed.wasKilled)
    #expect(before == "/a/b")
    #expect(resumed.code == 0, "\(resumed.errors)")
    // The program of the second step runs again, and gets the recorded answer.
    #expect(try folder.text("asked") == "/a/b/c/a")
    let addresses = try folder.text("journal").matches(of: /server\.exchange\.(GET-.#\d)/).map(\.1)
    #expect(
      addresses == [
        "GET-a#1", "GET-a#1", "GET-b#1", "GET-b#1", "GET-c#1", "GET-c#1", "GET-a#2", "GET-a#2",
      ])
  }
}
