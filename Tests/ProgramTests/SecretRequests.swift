import FlowCore
import Foundation
import TestKit
import Testing

/// A program that sends two secrets in every place of a request, in every encoding, and a server
/// that repeats them.
final class SecretRequests: Sendable {
  /// Secrets: one that every encoding changes, and one that none of the encodings of text changes.
  static let secrets = ["token": #"c4n+ary/"one"\ &é>?~~"#, "word": "Zk29canary8812QX77wombat"]

  let folder: TemporaryFolder
  private let server: ChildProcess
  private let port: String

  /// Starts the server, and writes the scenario with the program beside it.
  init(count: Int) throws {
    folder = try TemporaryFolder()
    try folder.write(Self.client, to: "client.py")
    try folder.write(Self.echo, to: "server.py")
    try folder.write(Self.scenario(count: count), to: "s.yaml")
    server = try ChildProcess("/usr/bin/env", ["python3", "server.py"], in: folder.directory.path)
    port = server.firstLine()
  }

  /// Runs flow in the folder with the secrets, and keeps its output there.
  func flow(_ arguments: [String]) async throws -> BuiltProgram {
    let run = try await BuiltProgram.run(
      "flow", arguments, in: folder,
      environment: [
        "FLOW_SECRET_TOKEN": Self.secrets["token"] ?? "",
        "FLOW_SECRET_WORD": Self.secrets["word"] ?? "",
      ])
    let number = try FileManager.default.contentsOfDirectory(atPath: folder.directory.path).count
    try folder.write("\(run.output)\n\(run.errors)", to: "console-\(arguments[0])-\(number)")
    return run
  }

  /// Records the scenario, with a journal and further options.
  func record(_ verbosity: String, _ options: [String]) async throws -> BuiltProgram {
    let input = "base=http://127.0.0.1:\(port)"
    return try await flow(
      ["run", "s.yaml", "--record", "--journal", "s.journal", "--input", input, verbosity] + options
    )
  }

  /// Replaces a part of the program.
  func change(existing old: String, to new: String) throws {
    try folder.write(
      folder.text("client.py").replacing(existing: old, with: new), to: "client.py")
  }

  func stop() {
    server.send(SIGKILL)
    _ = server.ending()
  }

  /// A scenario whose program sends this many requests through an upstream, and whose steps send
  /// others.
  private static func scenario(count: Int) -> String {
    """
    flow: 1
    inputs:
      token: {type: string, secret: true}
      word: {type: string, secret: true}
      base: {type: string}
    components:
      server: {plugin: http, with: {base: "${{ inputs.base }}", timeout: 10m}}
      up: {plugin: upstream, live: true, using: {server: server}, with: {hold: 10m}}
      programs: {plugin: process, live: true}
    steps:
      - {id: up, uses: up.address}
      - uses: programs.run
        timeout: 4h
        with:
          argv: [python3, client.py]
          env:
            PORT: "${{ string(steps.up.port) }}"
            TOKEN: "${{ inputs.token }}"
            WORD: "${{ inputs.word }}"
            COUNT: "\(count)"
        expect: {status: 0}

    """ + steps.joined()
  }

  /// Steps with each secret in each place of a request.
  private static var steps: [String] {
    let texts = ["inputs.S", "base64.encode(bytes('u' + inputs.S))", "strings.quote(inputs.S)"]
    let places = [
      "get, with: {path: V}", "get, with: {path: p, query: {t: V}}",
      "get, with: {path: h, headers: {x-key: V}}", "get, with: {path: c, headers: {cookie: V}}",
      "post, with: {path: j, json: {a: [V]}}", "post, with: {path: f, form: {t: V}}",
      "post, with: {path: t, body: V}", "post, with: {path: m, multipart: [{name: t, value: V}]}",
      #"post, with: {path: m, multipart: [{name: t, filename: V, bytes: "${{ bytes('x') }}"}]}"#,
      "exchange, with: {method: POST, path: e, text: V}",
    ]
    return ["token", "word"].flatMap { secret in
      texts.flatMap { text in
        places.map { place in
          let value = "\"${{ \(text.replacing("inputs.S", with: "inputs.\(secret)")) }}\""
          return "  - {uses: server.\(place.replacing("V", with: value)), "
            + "continue-on-error: true}\n"
        }
      }
    }
  }
}

// MARK: - Sightings

extension SecretRequests {
  /// Every place where a secret can be seen: the file, the secret and its form.
  func sightings() throws -> [String] {
    let paths = FileManager.default.enumerator(atPath: folder.directory.path)?.allObjects ?? []
    return paths.compactMap { $0 as? String }.sorted().flatMap { path -> [String] in
      guard ![".py", ".yaml"].contains(where: path.hasSuffix),
        let data = FileManager.default.contents(atPath: folder.path(path))
      else { return [] }
      return Self.sightings(in: Array(data)).map { "\(path): \($0)" }
    }
  }

  /// The secrets visible in some bytes, with their forms and what is around them.
  static func sightings(in bytes: [UInt8]) -> [String] {
    let data = Data(bytes)
    return secrets.sorted { $0.key < $1.key }.flatMap { name, secret in
      forms(of: secret).compactMap { form, text in
        guard let range = data.range(of: Data(text.utf8)) else { return nil }
        let around = data[max(0, range.lowerBound - 100)..<min(data.count, range.upperBound + 20)]
        return "\(name) in \(form): \(String(decoding: around, as: UTF8.self))"
      }
    }
  }

  private static func forms(of secret: String) -> [(form: String, text: String)] {
    let bytes = Array(secret.utf8)
    let escapes = bytes.map { String(format: "%%%02x", $0) }.joined()
    let units = secret.utf16.map { String(format: "\\u%04x", $0) }.joined()
    let json =
      (try? JSONEncoder().encode([secret])).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let percent = secret.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    let label = String(percent.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    var forms = [
      ("plain", secret), ("the beginning", String(secret.prefix(12))),
      ("JSON", String(json.dropFirst(2).dropLast(2))), ("JSON escapes", units),
      ("percent", percent), ("percent of all", escapes), ("PERCENT of all", escapes.uppercased()),
      ("hex", bytes.map { String(format: "%02x", $0) }.joined()),
      ("HEX", bytes.map { String(format: "%02X", $0) }.joined()),
      ("Latin-1", String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))),
      ("a name of a call", label),
      ("base 64 of percent", String(Data(percent.utf8).base64EncodedString().prefix(24))),
    ]
    for phase in 0..<3 {
      let whole = (Data(repeating: 0, count: phase) + Data(bytes)).base64EncodedString()
      let core = String(whole.dropFirst(phase == 0 ? 0 : phase + 1).dropLast(4))
      let url = core.replacing("+", with: "-").replacing("/", with: "_")
      forms += [("base 64, \(phase)", core), ("base 64 of URLs, \(phase)", url)]
    }
    return forms
  }

  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}

// MARK: - Programs

extension SecretRequests {
  /// The program: every place with every encoding, in an order by chance from a seed.
  private static let client = #"""
    import base64, gzip, http.client, json, os, random
    from urllib.parse import quote, quote_plus

    SECRETS = [os.environ["TOKEN"], os.environ["WORD"]]
    PORT, COUNT = int(os.environ["PORT"]), int(os.environ["COUNT"])

    def code(text): return base64.b64encode(text.encode()).decode()
    def each(text, form): return "".join(form % byte for byte in text.encode())
    def percent(text): return quote(text, safe="")
    def safe(text): return quote(text, safe="%")
    def latin(text): return text.encode("latin-1", "replace").decode("latin-1")

    ENCODINGS = {
        "plain": str,
        "percent": percent,
        "lower percent": lambda t: each(t, "%%%02x"),
        "upper percent": lambda t: each(t, "%%%02X"),
        "form": quote_plus,
        "base 64": code,
        "base 64 of more": lambda t: code("ann:" + t),
        "base 64 of URLs": lambda t: code("u" + t).translate({43: 45, 47: 95}).rstrip("="),
        "base 64 of percent": lambda t: code(percent(t)),
        "lower hex": lambda t: t.encode().hex(),
        "upper hex": lambda t: t.encode().hex().upper(),
        "JSON": lambda t: json.dumps(t)[1:-1],
        "escapes": lambda t: "".join("\\u%04x" % ord(c) for c in t),
    }

    def get(path, headers={}): return "GET", path, headers, None
    def post(path, kind, body):
        return "POST", path, {"content-type": kind}, body if isinstance(body, bytes) else body.encode()
    def data(value): return post("/j", "application/json", value)
    def form(value): return post("/f", "application/x-www-form-urlencoded", value)
    def text(value): return post("/t", "text/plain", value)
    def part(name, file, value):
        head = f'Content-Disposition: form-data; name="{name}"; filename="{file}"'
        return post("/p", "multipart/form-data; boundary=B", f"--B\r\n{head}\r\n\r\n{value}\r\n--B--\r\n")

    PLACES = [
        lambda v: get("/a/" + safe(v)),
        lambda v: get("/api/v1/customers/4711/documents/" + safe(v) + "/raw"),
        lambda v: get("/q?x=1&t=" + safe(v)),
        lambda v: get("/q?" + safe(v) + "=1"),
        lambda v: get("/q?" + safe(v)),
        lambda v: get("/h", {"x-key": latin(v)}),
        lambda v: get("/h", {"authorization": "Bearer " + latin(v)}),
        lambda v: get("/h", {"x-" + "".join(c for c in v if c.isascii() and c.isalnum()): "1"}),
        lambda v: get("/c", {"cookie": "s=1; sid=" + safe(v)}),
        lambda v: data(json.dumps({"a": [{"b": v}]})),
        lambda v: data(json.dumps({"a": v}, ensure_ascii=False)),
        lambda v: data(json.dumps({v: 1})),
        lambda v: data(json.dumps({"a": json.dumps([v])})),
        lambda v: data('{"a": "' + v),
        lambda v: form("x=1&t=" + quote_plus(v)),
        lambda v: form(quote_plus(v) + "=1"),
        lambda v: part("t", "a.txt", v),
        lambda v: part("t", v, "x"),
        lambda v: part(v, "a", "x"),
        lambda v: text("<" + v + ">"),
        lambda v: text("x" * 5000 + v + "y" * 5000),
        lambda v: post("/b", "image/png", b"\xff\x00" + v.encode() + b"\xfe"),
        lambda v: ("POST", "/g", {"content-encoding": "gzip"}, gzip.compress(v.encode(), mtime=0)),
    ]

    chance = random.Random(1)
    pairs = [(place, encoding) for place in PLACES for encoding in ENCODINGS]
    chance.shuffle(pairs)
    connection = http.client.HTTPConnection("127.0.0.1", PORT)
    for number in range(COUNT):
        place, encoding = pairs[number % len(pairs)]
        secret = chance.choice(SECRETS)
        method, path, headers, body = place(ENCODINGS[encoding](secret))
        connection.request(method, path, body, dict(headers))
        connection.getresponse().read()
    print("sent", COUNT, "requests, the last with", secret)

    """#

  /// The server, which repeats requests as JSON or text.
  private static let echo = #"""
    import http.server, json

    class Echo(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *_): pass
        def do_GET(self):
            body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode("latin-1")
            echo = {"path": self.path, "headers": dict(self.headers), "body": body}
            kind = sum(self.path.encode()) % 4
            texts = [json.dumps(echo), json.dumps(echo, ensure_ascii=False), str(echo), body]
            data = texts[kind].encode()
            self.send_response(404 if kind == 2 else 200)
            self.send_header("Content-Type", "application/json" if kind < 2 else "text/plain")
            self.send_header("X-Path", self.path)
            if "cookie" in self.headers: self.send_header("Set-Cookie", self.headers["cookie"])
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        do_POST = do_GET

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    print(server.server_port, flush=True)
    server.serve_forever()

    """#
}
