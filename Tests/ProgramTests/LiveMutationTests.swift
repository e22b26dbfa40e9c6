import FlowCore
import Foundation
import TestKit
import Testing

/// Alterations of the answers that live programs are served.
@Suite(.serialized) struct LiveMutationTests {
  /// A server of prices, with its port as the argument.
  private static let server = """
    import http.server, sys
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *arguments):
            pass
        def do_GET(self):
            text = b'{"cents": 700, "left": 3, "note": "n"}'
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)
    server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    print("listening", flush=True)
    server.serve_forever()

    """

  /// A shop that asks for a price, counts its orders, and notes each of its starts.
  private static let shop = """
    import http.server, json, os, time, urllib.request
    with open("starts", "a") as file:
        file.write(f"{os.getpid()}\\n")
    orders, cache = [], {}
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *arguments):
            pass
        def do_POST(self):
            if self.path == "/reset":
                orders.clear()
                if os.environ["RESET"] == "all":
                    cache.clear()
                return self.answer(200, {})
            if "lamp" not in cache or os.environ["RESET"] == "all":
                with urllib.request.urlopen(os.environ["PRICES"] + "/lamp") as answer:
                    cache["lamp"] = json.load(answer)
            if cache["lamp"]["left"] > 3:
                time.sleep(float(os.environ["WAIT"]))
            if cache["lamp"]["left"] < 1:
                return self.answer(409, {})
            orders.append(cache["lamp"]["cents"])
            self.answer(201, {"orders": orders})
        def answer(self, status, value):
            text = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()

    """

  private static func scenario(
    _ server: Int, restart: String, port: Int, reset: String, wait: Int
  ) -> String {
    """
    flow: 1
    components:
      prices_api: {plugin: http, with: {base: "http://127.0.0.1:\(server)"}}
      prices: {plugin: upstream, live: true, using: {server: prices_api}}
      shop: {plugin: process, live: true\(restart)}
      api: {plugin: http, live: true}
    steps:
      - {id: prices, uses: prices.address}
      - uses: shop.start
        with:
          name: shop
          argv: [python3, shop.py]
          env: {PRICES: "${{ steps.prices.url }}", PORT: "\(port)", RESET: \(reset), WAIT: "\(wait)"}
      - id: start
        uses: shop.wait_for
        with: {name: shop, line: listening}
        timeout: 30s
        volatile: [line]
      - set: {url: "${{ steps.start.line.split(' ')[2] }}"}
      - uses: api.post
        with: {url: "${{ url }}/reset"}
        expect: {status: 200}
      - uses: api.post
        with: {url: "${{ url }}/orders"}
        expect: {status: 201, json: {orders: [700]}}

    """
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Records the shop with its server, and forgets the starts.
  private func record(
    restart: String = "", port: Int = 0, reset: String = "all", wait: Int = 0
  ) async throws {
    let number = try freePort()
    try folder.write(
      Self.scenario(number, restart: restart, port: port, reset: reset, wait: wait),
      to: "shop.yaml")
    try folder.write(Self.shop, to: "shop.py")
    try folder.write(Self.server, to: "server.py")
    let server = try ChildProcess(
      "/usr/bin/env", ["python3", "server.py", "\(number)"], in: folder.directory.path)
    #expect(server.firstLine() == "listening")
    let run = try await flow("run", "shop.yaml", "--record", "--quiet")
    server.send(SIGKILL)
    #expect(run.code == 0, "\(run.errors)")
    try folder.write("", to: "starts")
  }

  private func flow(_ arguments: String...) async throws -> BuiltProgram {
    try await BuiltProgram.run("flow", arguments, in: folder)
  }

  private var starts: Int { get throws { try pids.count } }

  /// The numbers of the started shops.
  private var pids: [Int32] {
    get throws { try folder.text("starts").split(separator: "\n").compactMap { Int32($0) } }
  }

  /// The numbers of those that still run.
  private var running: [Int32] { get throws { try pids.filter { kill($0, 0) == 0 } } }

  /// The values that the shop does not look at.
  private static let unnoticed = [
    "GET-lamp#1 on line 21, ok.json.left: 3 -> 4\n", "on line 21, ok.json.note: \"n\" -> \"n~\"\n",
  ]

  private func check(_ run: BuiltProgram, errors: String = "") throws {
    let unnoticed = Self.unnoticed
    #expect(run.code == 0)
    #expect(try running == [])
    #expect(unnoticed.filter { !run.output.contains($0) } == [], "\(run.output)")
    #expect(!run.output.contains("ok.json.cents"), "\(run.output)")
    #expect(run.errors == errors)
  }

  @Test func `the answers of a program are altered, and the program starts for each`() async throws
  {
    try await record()
    let run = try await flow("mutate", "shop.yaml", "--jobs", "1")

    try check(run)
    let tried = try #require(run.output.firstMatch(of: #/of (\d+) alterations/#)?.output.1)
    #expect(try starts == Int(tried).map { $0 + 1 })
  }

  @Test(arguments: [1, 3]) func `a program with a reset starts once for each copy`(
    _ jobs: Int
  ) async throws {
    try await record(restart: ", restart: never")
    let run = try await flow("mutate", "shop.yaml", "--jobs", "\(jobs)")

    try check(run)
    // Of several copies, another one each shows that they do not meet.
    #expect(try starts == (jobs == 1 ? 2 : 1 + 2 * jobs))
  }

  @Test func `a program whose reset leaves something starts anew for each alteration`()
    async throws
  {
    try await record(restart: ", restart: never", reset: "some")
    let run = try await flow("mutate", "shop.yaml", "--jobs", "1")

    try check(
      run,
      errors: """
        note: shop.yaml: 'restart: never' is left out, because the unaltered transcript does not replay a second time on the same program: 1 recorded call was never made

        """)
    #expect(try starts > 5)
  }

  @Test(arguments: ["", ", restart: never"])
  func `programs with one port are tried one after the other`(_ restart: String) async throws {
    try await record(restart: restart, port: try freePort())
    let run = try await flow("mutate", "shop.yaml", "--jobs", "2")

    try check(
      run,
      errors: """
        note: shop.yaml: the alterations are tried one after the other, because the unaltered transcript does not replay 2 times at once: 'start#1' failed with the error 'ended'

        """)
  }
  @Test func `a program that hangs is noticed and ended, and the next trial has another one`()
    async throws
  {
    try await record(restart: ", restart: never", wait: 600)
    let run = try await flow("mutate", "shop.yaml", "--jobs", "1")

    #expect(run.code == 0)
    #expect(run.errors == "")
    #expect(
      run.output.contains(
        #/\n1 trial did not end within [0-9.]+ s, which counts as noticed:\n  .* on line 21, ok.json.left: 3 -> 4\n/#
      ),
      "\(run.output)")
    #expect(try starts == 3)
    #expect(try running == [])
  }

  @Test func `a stopped command leaves no program`() async throws {
    try await record(restart: ", restart: never", wait: 600)
    let watch = try FolderWatch(folder)
    let process = try ChildProcess(
      BuiltProgram.url("flow").path, ["mutate", "shop.yaml"], in: folder.directory.path)
    while process.isRunning, try starts < 2 { watch.wait(orEndOf: process) }
    process.send(SIGINT)
    let ending = process.ending()

    #expect(ending.code == 130)
    #expect(ending.errors == "flow: stopping; press Ctrl-C again to stop at once\n")
    #expect(try running == [])
  }
  @Test func `a note says that no program asks, unless what passes its requests on is live`()
    async throws
  {
    try await record()
    try folder.write(
      try folder.text("shop.yaml").replacing(", live: true", with: ""), to: "shop.yaml")
    let run = try await flow("mutate", "shop.yaml", "--live=shop", "--jobs", "1")

    #expect(run.code == 0)
    #expect(
      run.errors == """
        note: shop.yaml: no program is served the answers to 'prices', so nothing notices their alterations; write 'live: true' there, and in the components of the program and its clients

        """)
    let named = try await flow("mutate", "shop.yaml", "--live=shop,api,prices", "--jobs", "1")
    try check(named)
  }
}
