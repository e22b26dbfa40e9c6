import FlowCore
import Foundation
import TestKit
import Testing

/// A program under test with two upstreams, and the real server behind both.
///
/// The server notes each connection.
final class ShopUpstream: Sendable {
  let folder: TemporaryFolder
  private let server: ChildProcess
  let port: String

  convenience init() throws {
    try self.init(server: Self.server, client: Self.client, scenario: Self.scenario)
  }

  /// Starts another server, in Python, for a client that gives programs another `ask`.
  init(server text: String, client: String, scenario: String) throws {
    folder = try TemporaryFolder()
    try folder.write(text, to: "server.py")
    try folder.write(client, to: "client.py")
    try folder.write(scenario, to: "scenario.yaml")
    server = try ChildProcess("/usr/bin/env", ["python3", "server.py"], in: folder.directory.path)
    port = server.firstLine()
  }

  /// The number of connections to the real server so far.
  var connections: Int { (try? folder.text("connections"))?.count ?? 0 }

  var transcript: String { get throws { try folder.text("scenario.transcript.jsonl") } }

  /// Records the scenario with this body of the program.
  func record(_ body: String, _ options: [String] = []) async throws -> BuiltProgram {
    try program(body)
    return try await BuiltProgram.run(
      "flow",
      ["run", "scenario.yaml", "--quiet", "--record", "--input", "base=http://127.0.0.1:\(port)"]
        + options, in: folder)
  }

  /// Replays the recording with this body of the program.
  func test(_ body: String) async throws -> BuiltProgram {
    try program(body)
    return try await BuiltProgram.run("flow", ["test", "scenario.yaml", "--quiet"], in: folder)
  }

  func program(_ body: String) throws {
    let lines = body.split(separator: "\n").map { "    \($0)\n" }.joined()
    try folder.write("def run(ask):\n" + lines, to: "program.py")
  }

  func stop() {
    server.send(SIGKILL)
    _ = server.ending()
  }

  static let scenario = """
    flow: 1
    inputs: {base: {type: string}}
    components:
      api: {plugin: http, with: {base: "${{ inputs.base }}"}}
      first: {plugin: upstream, live: true, using: {server: api}}
      second: {plugin: upstream, live: true, using: {server: api}}
      programs: {plugin: process, live: true}
    steps:
      - {id: first, uses: first.address}
      - {id: second, uses: second.address}
      - id: run
        uses: programs.run
        with:
          argv: [python3, client.py]
          env: {FIRST: "${{ steps.first.url }}", SECOND: "${{ steps.second.url }}"}
        expect: {status: 0}
      - {name: Some programs ask the first server alone, uses: second.received}

    """

  private static let client = """
    import os, urllib.request
    urllib.request.install_opener(urllib.request.build_opener(urllib.request.ProxyHandler({})))

    def ask(method, path, body=None, upstream="FIRST", **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        data = None if body is None else body.encode()
        if data:
            headers.setdefault("Content-Type", "application/json")
        request = urllib.request.Request(os.environ[upstream] + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read().decode()

    from program import run
    run(ask)

    """

  private static let server = #"""
    import hashlib, http.server, itertools, json, threading

    class Server(http.server.ThreadingHTTPServer):
        request_queue_size = 128
        def get_request(self):
            connection = super().get_request()
            with open("connections", "a") as file: file.write("1")
            return connection

    count = itertools.count(1)
    acknowledged = threading.Semaphore(0)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *_): pass
        def stream(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for number in (1, 2, 3):
                data = b"data: %d\n\n" % number
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                self.wfile.flush()
                acknowledged.acquire(timeout=20)
            self.wfile.write(b"0\r\n\r\n")
        def forever(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            try:
                for number in itertools.count():
                    data = b"data: %d\n\n" % number
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                    self.wfile.flush()
            except OSError: self.close_connection = True
        def signed(self):
            body = b'{ "total": 12.50,\n\t"items": [{"b": 1, "a": "\\u00fc"}, {"b": 2, "a": "x"}] }'
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("X-Digest", hashlib.sha256(body).hexdigest())
            self.end_headers()
            self.wfile.write(body)
        def page(self):
            own, number = "http://" + self.headers["Host"], int(self.path.split("/")[-1])
            body = json.dumps({"self": own + self.path, "next": f"{own}/pages/{number + 1}"}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Link", f'<{own}/pages/{number + 1}>; rel="next"')
            self.end_headers()
            self.wfile.write(body)
        def answer(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if self.path == "/stream": return self.stream()
            if self.path == "/forever": return self.forever()
            if self.path == "/signed": return self.signed()
            if self.path.startswith("/pages/"): return self.page()
            if self.path.startswith("/acknowledge"): acknowledged.release()
            text = str(next(count)) if self.path == "/count" else f"{self.command} {self.path}"
            self.send_response(200)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode())
        do_GET = do_POST = answer

    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()

    """#
}
