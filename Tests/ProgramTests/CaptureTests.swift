import FlowCore
import Foundation
import TestKit
import Testing

/// Scenarios by use: a service with a login, a list, an upload and an upstream of its own.
@Suite(.serialized) struct CaptureTests {
  private static let user = #"""
    import http.cookiejar, json, re, sys, urllib.parse, urllib.request
    base = sys.argv[1]
    web = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor())
    def send(path, body=None, type="application/json"):
        request = urllib.request.Request(base + path, body, {"Content-Type": type} if body else {})
        with web.open(request, timeout=60) as answer: return answer.read().decode()
    token = re.search('name="csrf" value="(.*?)"', send("/"))[1]
    form = urllib.parse.urlencode({"csrf": token, "user": "ann", "password": "correct horse"})
    send("/login", form.encode(), "application/x-www-form-urlencoded")
    send("/style.css")
    order = json.loads(send("/orders", b'{"item": 101}'))["id"]
    print(send("/orders/" + order))
    part = 'Content-Disposition: form-data; name="file"; filename="notes.txt"\r\nContent-Type: text/plain'
    body = f"--mark\r\n{part}\r\n\r\nred\r\n--mark--\r\n".encode()
    send("/notes", body, "multipart/form-data; boundary=mark")
    """#

  private static let service = #"""
    import http.server, json, os, secrets, sys, urllib.parse, urllib.request
    fault, sessions, orders = os.environ.get("FAULT"), {}, {}

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *_): pass
        def say(self, status, body, type="application/json", **headers):
            content = (body if isinstance(body, str) else json.dumps(body)).encode()
            self.send_response(status)
            for name, value in {"Content-Type": type, "Content-Length": len(content), **headers}.items():
                self.send_header(name.replace("_", "-"), str(value))
            self.end_headers()
            self.wfile.write(content)
        def do_GET(self):
            if self.path == "/":
                session, token = secrets.token_hex(8), secrets.token_hex(8)
                sessions[session] = token
                page = f'<form><input type="hidden" name="csrf" value="{token}"></form>'
                return self.say(200, page, "text/html", Set_Cookie=f"sid={session}; Path=/")
            if self.path == "/style.css": return self.say(200, "a {}", "text/css")
            if self.path == "/me": return self.say(200, {"user": "bob" if fault == "user" else "ann"})
            order = orders.get(self.path.split("/")[-1])
            if not order: return self.say(404, {"error": "none"})
            self.say(200, {**order, "state": "lost" if fault == "state" else "new"})
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            session = self.headers.get("Cookie", "sid=").split("sid=")[1]
            if self.path == "/login":
                form = dict(urllib.parse.parse_qsl(body))
                if form["csrf"] != sessions.get(session): return self.say(403, {"error": "token"})
                if form["password"] != "correct horse": return self.say(401, {"error": "password"})
                return self.say(303, "", Location="/me")
            if session not in sessions: return self.say(403, {"error": "session"})
            if self.path == "/notes": return self.say(200, {"isRed": "\r\nred\r\n" in body})
            amount = b"6" if fault == "amount" else b"5"
            urllib.request.urlopen(os.environ["STOCK"] + "/items/1", amount).read()
            number = secrets.token_hex(6)
            orders[number] = {"id": number, "item": json.loads(body)["item"]}
            self.say(201, orders[number])

    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    server.daemon_threads = True
    server.serve_forever()
    """#

  /// A folder with the service and a user, and the upstream of the service.
  private final class Setting: Sendable {
    let shop: ShopUpstream
    let ports: [Int]

    init() throws {
      shop = try ShopUpstream()
      try shop.folder.write(CaptureTests.service, to: "service.py")
      try shop.folder.write(CaptureTests.user, to: "user.py")
      ports = try [freePort(), freePort()]
    }

    func flow(_ arguments: [String], fault: String = "") async throws -> BuiltProgram {
      try await BuiltProgram.run(
        "flow", arguments, in: shop.folder, environment: environment(fault))
    }

    func environment(_ fault: String = "") -> [String: String] {
      ["CI": "", "FAULT": fault, "STOCK": "http://127.0.0.1:\(shop.port)"]
    }

    /// Captures what the user does, and returns what flow has printed.
    func capture(_ options: [String]) async throws -> ChildProcess.Ending {
      let flow = try ChildProcess(
        BuiltProgram.url("flow").path,
        ["tape", "--listen", "\(ports[0])", "--to", "http://127.0.0.1:\(ports[1])"] + options
          + ["--", "python3", "service.py", "\(ports[1])"],
        in: shop.folder.directory.path, environment: environment())
      #expect(
        flow.firstLine()
          == "use the service at http://127.0.0.1:\(ports[0]), and end the capture by Ctrl-C")
      let user = try ChildProcess(
        "/usr/bin/env", ["python3", "user.py", "http://127.0.0.1:\(ports[0])"],
        in: shop.folder.directory.path)
      let ending = user.ending()
      #expect(ending.code == 0, "\(ending.errors)")
      flow.send(SIGINT)
      return flow.ending()
    }
  }

  @Test func `what a user does becomes a scenario that finds planted faults`() async throws {
    let setting = try Setting()
    let captured = try await setting.capture(["--show", "password"])
    #expect(captured.code == 0, "\(captured.errors)")
    #expect(captured.output.contains("tape.yaml: 6 requests\n"), "\(captured)")
    #expect(
      captured.errors.contains("note: left out 1 request for pictures, fonts, styles and scripts"))
    let connections = setting.shop.connections

    #expect(try setting.shop.folder.text("notes.txt") == "red")
    let text = try setting.shop.folder.text("tape.yaml")
    #expect(text.contains("'input[name=csrf]::attr(value)'"), "\(text)")
    #expect(text.contains(#"path: "orders/${{ steps.post_orders.json.id }}""#), "\(text)")
    let test = try await setting.flow(["test", "tape.yaml", "--quiet"])
    #expect(test.code == 0, "\(test.errors)")
    for (fault, report) in [
      ("user", #"ok.json.user: recorded "ann", now "bob""#),
      ("state", #"ok.json.state: recorded "new", now "lost""#),
      ("amount", "server.exchange.POST-items-1#1' is not in the transcript [F3001]"),
    ] {
      let run = try await setting.flow(["test", "tape.yaml", "--quiet"], fault: fault)
      #expect(run.code == 1)
      #expect(run.errors.contains(report), "\(run.errors)")
    }
    #expect(setting.shop.connections == connections)
    setting.shop.stop()
  }

  @Test(arguments: [
    (["no-such-program"], "flow: there is no program 'no-such-program' in the PATH of flow\n"),
    (["false"], "flow: 'service' ended with status 1 before port PORT accepted a connection\n"),
  ])
  func `a service that does not start has one line`(
    _ command: [String], _ error: String
  ) async throws {
    let (folder, port) = (try TemporaryFolder(), try freePort())
    let run = try await BuiltProgram.run(
      "flow",
      ["tape", "--listen", "\(try freePort())", "--to", "http://127.0.0.1:\(port)", "--"] + command,
      in: folder)

    #expect(run.errors == error.replacing("PORT", with: "\(port)"))
    #expect(run.code == 1)
    #expect(try folder.names == [])
  }

  @Test func `a password stays out of the files`() async throws {
    let setting = try Setting()
    let captured = try await setting.capture([])

    #expect(
      captured.errors.contains(
        "note: test it with 'FLOW_SECRET_PASSWORD=… flow test tape.yaml'; '--show password' writes"),
      "\(captured.errors)")
    for name in ["tape.yaml", "tape.transcript.jsonl"] {
      #expect(try !setting.shop.folder.text(name).contains("correct horse"))
    }
    setting.shop.stop()
  }
}
