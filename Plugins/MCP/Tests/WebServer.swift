import FlowCore
import Foundation
import TestKit
import Testing

@testable import MCPPlugin

/// A server in Python on the loopback interface, running until the value is released.
///
/// It writes messages to `wire.jsonl` like `TestServer`, and the heads of requests to `heads.jsonl`.
final class WebServer: Sendable {
  let project: ServerProject
  private let process: ChildProcess

  /// Starts a server and writes a project that uses it.
  ///
  /// `hook` is Python that runs before a POST request is answered. It returns true if it has answered.
  /// `get` is Python that answers a GET request.
  init(
    _ server: TestServer = TestServer(), streams: Bool = false, hook: String = "return False",
    get: String = emptyStream,
    steps: String = "  - uses: it.act", declaration: String = "", settings: String = ""
  ) throws {
    var server = server
    server.loop = Self.loop(streams: streams, hook: hook, get: get)
    var started: ChildProcess?
    project = try ServerProject(
      server, steps: steps, declaration: declaration, settings: settings
    ) { folder in
      // Nobody reads its errors, and a full pipe would stop it.
      let process = try ChildProcess(
        "/bin/sh", ["-c", "exec python3 server.py 2>/dev/null"], in: folder.directory.path)
      started = process
      return process.firstLine()
    }
    process = try #require(started)
  }

  /// The heads of requests, each as `POST tools/call`, or with one header as `POST tools/call: a`.
  func heads(with header: String? = nil) throws -> [String] {
    try project.folder.text("heads.jsonl").split(separator: "\n").map { line in
      let head = try Value(json: Array(line.utf8))
      let name = "\(head["verb"]?.string ?? "") \(head["call"]?.string ?? "")"
      guard let header else { return name }
      return "\(name): \(head["headers"]?[header]?.string ?? "-")"
    }
  }

  /// Forgets what was sent so far.
  func forget() throws {
    for name in ["heads.jsonl", "wire.jsonl"] { try project.folder.remove(name) }
  }

  /// Ends the server.
  func stop() { process.send(SIGKILL) }

  /// A stream of news, in revisions that have one.
  static let emptyStream = """
    self.head("")
    if MODERN: self.whole(405, b"", None); return
    LISTENERS.append(self)
    self.open_stream(); self.write("id: 0\\ndata: \\n\\n"); threading.Event().wait()
    """

  /// Code as the body of a method.
  private static func indented(_ code: String) -> String {
    code.split(separator: "\n").map { "        " + $0 }.joined(separator: "\n")
  }

  private static func loop(streams: Bool, hook: String, get: String) -> String {
    """
    import http.server, threading
    STREAMS = \(streams ? "True" : "False")
    SESSIONS, LISTENERS, local = set(), [], threading.local()
    heads = open(os.path.join(here, "heads.jsonl"), "a")
    def path(name): return os.path.join(here, name)
    def send(message):
        local.handler.event(dict(jsonrpc="2.0", **message))
    def news(message):
        for handler in LISTENERS: handler.event(dict(jsonrpc="2.0", **message))
    def log(file, prefix, value):
        with open(path(file), "a") as target: target.write(prefix + json.dumps(value) + "\\n")
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        streaming = False
        def log_message(self, *arguments): pass
        def head(self, call):
            headers = {name.lower(): value for name, value in self.headers.items()}
            log("heads.jsonl", "", {"verb": self.command, "call": call, "headers": headers})
        def open_stream(self):
            self.streaming = True
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            if getattr(self, "session", None): self.send_header("Mcp-Session-Id", self.session)
            self.send_header("Connection", "close"); self.end_headers()
            self.close_connection = True
        def write(self, text):
            self.wfile.write(text.encode()); self.wfile.flush()
        def event(self, message):
            log("wire.jsonl", "S", message)
            if not self.streaming: self.open_stream()
            self.write("data: " + json.dumps(message) + "\\n\\n")
        def whole(self, status, body, type="application/json"):
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            if type: self.send_header("Content-Type", type)
            if getattr(self, "session", None): self.send_header("Mcp-Session-Id", self.session)
            self.send_header("Content-Length", str(len(body))); self.end_headers()
            self.wfile.write(body)
        def refuse(self, status, code, message, id=None, **more):
            self.whole(status, {"jsonrpc": "2.0", "id": id, "error": {
                "code": code, "message": message, **more}})
        def finish_with(self, message):
            message = dict(jsonrpc="2.0", **message)
            if self.streaming or STREAMS: self.event(message)
            else:
                log("wire.jsonl", "S", message); self.whole(200, message)
        def is_good(self, message):
            method, params, headers = message.get("method"), message.get("params", {}), self.headers
            if MODERN:
                wanted = {"mcp-protocol-version": REVISION, "mcp-method": method}
                if method in ("tools/call", "prompts/get"): wanted["mcp-name"] = params["name"]
                if method == "resources/read": wanted["mcp-name"] = params["uri"]
                for name, value in wanted.items():
                    if headers.get(name) != value:
                        self.refuse(400, -32020, f"Header mismatch: {name}", message.get("id"))
                        return False
                return True
            if headers.get("mcp-protocol-version", REVISION) != REVISION:
                self.refuse(400, -32600, "Bad Request: Unsupported protocol version", "server-error")
                return False
            if method == "initialize": return True
            session = headers.get("mcp-session-id")
            if session is None:
                self.refuse(400, -32600, "Bad Request: Missing session ID", "server-error")
            elif session not in SESSIONS:
                self.refuse(404, -32600, "Session not found", "server-error")
            return session in SESSIONS
        def hook(self, message):
    \(indented(hook))
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            message = json.loads(body); local.handler = self; self.streaming = False
            log("wire.jsonl", "C", message); self.head(message.get("method", "answer"))
            if self.hook(message) or not self.is_good(message): return
            if "id" not in message or "method" not in message:
                self.whole(202, b"", None); return
            if message["method"] == "initialize":
                self.session = f"session-{len(SESSIONS) + 1}"; SESSIONS.add(self.session)
            if message["method"] == "subscriptions/listen": LISTENERS.append(self)
            result = answer(message["method"], message.get("params", {}), message["id"])
            if message["method"] == "subscriptions/listen":
                threading.Event().wait()
            if result is None: return
            if "error" in result:
                self.finish_with({"id": message["id"], "error": result["error"]})
            else:
                if MODERN: result.setdefault("resultType", "complete")
                self.finish_with({"id": message["id"], "result": result})
        def do_GET(self):
    \(indented(get))
        def do_DELETE(self):
            self.head(""); SESSIONS.discard(self.headers.get("mcp-session-id"))
            self.whole(200, b"", None)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_port}/mcp", flush=True)
    server.serve_forever()
    """
  }
}
