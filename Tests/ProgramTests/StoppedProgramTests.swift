import FlowCore
import Foundation
import TestKit
import Testing

/// A program that asks its server once more when it is stopped.
@Suite struct StoppedProgramTests {
  private static let server = """
    import http.server
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("content-length", "2")
            self.end_headers()
            self.wfile.write(b"ok")
        def log_message(self, *a): pass
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()

    """

  /// Its token is another one in each run.
  private static let program = """
    import os, signal, sys, urllib.request
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    token = {"authorization": "Bearer " + os.urandom(16).hex()}
    def ask(path): opener.open(urllib.request.Request(os.environ["API"] + path, headers=token)).read()
    def leave(*a):
        ask("/leave")
        sys.exit(0)
    signal.signal(signal.SIGTERM, leave)
    ask("/enter")
    print("ready", flush=True)
    while True: signal.pause()

    """

  private static let steps = """
    inputs: {base: {type: string}}
    components:
      api: {plugin: http, with: {base: "${{ inputs.base }}"}}
      up: {plugin: upstream, live: true, using: {server: api}}
      programs: {plugin: process, live: true}
    steps:
      - {id: port, uses: up.address}
      - uses: programs.start
        with: {name: p, argv: [python3, program.py], env: {API: "${{ steps.port.url }}"}}
      - {uses: programs.wait_for, with: {name: p, line: ready}}

    """

  @Test(arguments: [
    ("at the end of the run", "flow: 1\n" + steps, ""),
    (
      "by a step", "flow: 1\n" + steps + "  - {uses: programs.stop, with: {name: p}}\n", ""
    ),
    (
      "at the end of another scenario",
      """
      flow: 1
      inputs: {base: {type: string}}
      steps:
        - {scenario: inner.yaml, with: {base: "${{ inputs.base }}"}}
        - {assert: "${{ true }}"}

      """, "flow: 1\n" + steps
    ),
  ]) func `a request of a program that is stopped is recorded, and replays`(
    _ stopped: String, _ scenario: String, _ inner: String
  ) async throws {
    let folder = try TemporaryFolder()
    let files = [
      "server.py": Self.server, "program.py": Self.program, "scenario.yaml": scenario,
      "inner.yaml": inner,
    ]
    for (name, text) in files where !text.isEmpty { try folder.write(text, to: name) }
    let server = try ChildProcess(
      "/usr/bin/env", ["python3", "server.py"], in: folder.directory.path)
    let base = "http://127.0.0.1:\(server.firstLine())"

    let recorded = try await BuiltProgram.run(
      "flow", ["run", "scenario.yaml", "--quiet", "--record", "--input", "base=\(base)"],
      in: folder)
    let recording = try folder.text("scenario.transcript.jsonl")
    let live = try await BuiltProgram.run(
      "flow", ["test", "--live", "scenario.yaml", "--quiet"], in: folder)
    server.send(SIGKILL)
    let replayed = try await BuiltProgram.run(
      "flow", ["test", "scenario.yaml", "--quiet"], in: folder)

    #expect(recorded.code == 0, "\(recorded.errors)")
    #expect(recording.contains(#""path":"/leave""#))
    #expect([live, replayed].map(\.errors) == ["", ""])
    #expect([live, replayed].map(\.code) == [0, 0])
  }
}
