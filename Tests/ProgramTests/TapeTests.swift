import FlowCore
import Foundation
import TestKit
import Testing

/// Programs with tests of their own, which tell flow of the beginning and the end of each.
@Suite(.serialized) struct TapeTests {
  /// The tests of a program as they were recorded and as they are now.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var recorded = both
    let now: String
    /// What the tests learn at their ends, and whether the program fails for it.
    var said = ""
    /// A text of flow's report, or nil if it passes.
    var report: String?
  }

  private static let both = """
    with test("a"): ask("/items/1"); ask("/items/2")
    with test("b"): ask("/items/1")
    """

  private static let fixture = """
    with test("token"): ask("/items/token")
    """

  private static func parallel(_ tests: String) -> String {
    """
    from concurrent.futures import ThreadPoolExecutor
    def work(name):
        with test(name, "flow-" + name):
            ask("/items/1", "flow-" + name); ask("/items/" + name, "flow-" + name)
    with ThreadPoolExecutor(4) as pool: list(pool.map(work, \(tests)))
    """
  }

  private static let rows = [
    Row(testDescription: "the same", now: both),
    Row(testDescription: "a part of the tests", now: #"with test("b"): ask("/items/1")"#),
    Row(
      testDescription: "another order",
      now: """
        with test("b"): ask("/items/1")
        with test("a"): ask("/items/1"); ask("/items/2")
        """),
    Row(
      testDescription: "another request",
      now: """
        with test("a"): ask("/items/1"); ask("/items/3")
        with test("b"): ask("/items/1")
        """,
      said: "a: 'server.exchange.GET-items-3#1' is not in the transcript [F3001]\n",
      report: "server.exchange.GET-items-3#1' is not in the transcript [F3001]"),
    Row(
      testDescription: "a request that is left out",
      now: """
        with test("a"): ask("/items/1")
        with test("b"): ask("/items/1")
        """,
      said: "a: 1 recorded call was never made [F3006]\n",
      report: "1 recorded call was never made [F3006]"),
    Row(
      testDescription: "a test without its only request", now: #"with test("b"): pass"#,
      said: "b: 1 recorded call was never made [F3006]\n",
      report: "1 recorded call was never made [F3006]"),
    Row(
      testDescription: "a request more", now: #"with test("b"): ask("/items/1"); ask("/items/1")"#,
      said: "b: 'server.exchange.GET-items-1#2' is not in the transcript [F3001]\n",
      report: "server.exchange.GET-items-1#2' is not in the transcript [F3001]"),
    Row(
      testDescription: "another order within a test, as of threads",
      now: #"with test("a"): ask("/items/2"); ask("/items/1")"#),
    Row(
      testDescription: "equal requests in their order",
      recorded: #"with test("a"): assert int(ask("/count")) < int(ask("/count"))"#,
      now: #"with test("a"): assert int(ask("/count")) < int(ask("/count"))"#),
    Row(
      testDescription: "a test that is not recorded", now: #"with test("c"): ask("/items/1")"#,
      said: "c: 'server.exchange.GET-items-1#1' is not in the transcript [F3001]\n",
      report: "server.exchange.GET-items-1#1' is not in the transcript [F3001]"),
    Row(
      testDescription: "a request outside of tests", recorded: #"ask("/items/1")"# + "\n" + both,
      now: both, report: "1 recorded call was never made [F3006]"),
    Row(testDescription: "a test that runs again", now: both + "\n" + both),
    Row(
      testDescription: "a fixture inside of another test",
      recorded: """
        with test("a"):
            \(fixture)
            ask("/items/1")
        with test("b"): ask("/items/2")
        """,
      now: """
        with test("b"):
            ask("/items/2")
            \(fixture)
        """),
    Row(
      testDescription: "several workers", recorded: parallel("'abcd'"), now: parallel("'dbca'")),
    Row(testDescription: "one worker fewer", recorded: parallel("'abcd'"), now: parallel("'ca'")),
    Row(
      testDescription: "names with the same letters",
      recorded: """
        with test("a b"): ask("/items/1")
        with test("a-b"): ask("/items/2")
        """, now: #"with test("a-b"): ask("/items/2")"#),
    Row(
      testDescription: "another method",
      now: #"with test("b"): ask("/items/1", method="POST")"#,
      said: "b: 'server.exchange.POST-items-1#1' is not in the transcript [F3001]\n",
      report: "server.exchange.POST-items-1#1' is not in the transcript [F3001]"),
  ]

  @Test(arguments: rows)
  func `each test has requests of its own`(_ row: Row) async throws {
    let tape = try TapedShop()
    let recorded = try await tape.run(row.recorded)
    try #require(recorded.code == 0, "\(recorded.errors)")
    let connections = tape.connections

    let run = try await tape.run(row.now)

    #expect(run.output == row.said, "\(run.errors)")
    #expect(run.code == (row.report == nil ? 0 : 1), "\(run.errors)")
    if let report = row.report { #expect(run.errors.contains(report), "\(run.errors)") }
    #expect(tape.connections == connections)
    tape.stop()
  }

  @Test func `a recorded tape is a scenario for every other command`() async throws {
    let tape = try TapedShop()
    let recorded = try await tape.run(Self.both)
    #expect(recorded.code == 0)
    #expect(recorded.errors == "tape.yaml: 1 server (127.0.0.1:\(tape.port)), 3 requests\n")

    let test = try await tape.flow(["test", "tape.yaml", "--quiet"])
    #expect(test.code == 0, "\(test.errors)")
    let live = try await tape.flow(["test", "tape.yaml", "--quiet", "--live"])
    #expect(live.code == 0, "\(live.errors)")
    let served = try await tape.run(#"with test("b"): ask("/items/1")"#)
    #expect(served.errors == "tape.yaml: 1 request served, no server asked\n")
    tape.stop()
  }

  @Test func `one test is recorded again, and all other lines stay`() async throws {
    let tape = try TapedShop()
    _ = try await tape.run(Self.both)
    let before = try tape.lines

    let again = try await tape.run(#"with test("b"): ask("/items/7")"#, ["--update"])

    #expect(again.code == 0, "\(again.errors)")
    let after = try tape.lines
    #expect(after.count == before.count)
    let changed = zip(before, after).filter { $0 != $1 }.map(\.1)
    #expect(changed.count == 3)
    #expect(changed.dropLast().allSatisfy { $0.contains("/@b-") && $0.contains("GET-items-7#1") })
    #expect(changed.last?.contains(#""end":"passed""#) == true)
    let run = try await tape.run(
      """
      with test("a"): ask("/items/1"); ask("/items/2")
      with test("b"): ask("/items/7")
      """)
    #expect(run.code == 0, "\(run.errors)")
    tape.stop()
  }

  @Test func `an edited scenario keeps the tests that do not run`() async throws {
    let tape = try TapedShop()
    _ = try await tape.run(Self.both)
    try tape.folder.write(
      tape.folder.text("tape.yaml").replacing(
        existing: #"with: {hosts: {"*": server}}"#,
        with: #"with: {hosts: {"*": server}, direct: [own.example]}"#), to: "tape.yaml")

    let again = try await tape.run(#"with test("b"): ask("/items/7")"#, ["--update"])

    #expect(
      again.errors == "tape.yaml: 1 server (127.0.0.1:\(tape.port)), 1 request recorded again\n")
    let run = try await tape.run(
      """
      with test("a"): ask("/items/1"); ask("/items/2")
      with test("b"): ask("/items/7")
      """)
    #expect(run.code == 0, "\(run.errors)")
    tape.stop()
  }

  @Test func `a miss that a test swallows fails the command`() async throws {
    let tape = try TapedShop()
    _ = try await tape.run(#"ask("/items/1")"#)
    let run = try await tape.run(
      """
      ask("/items/1")
      try: ask("/items/2")
      except OSError: pass
      """)

    #expect(run.output == "")
    #expect(run.code == 1)
    #expect(run.errors.contains("server.exchange.GET-items-2#1' is not in the transcript [F3001]"))
    tape.stop()
  }

  @Test(arguments: [0, 1, 5, 127]) func `the code of the command is that of flow`(
    _ code: Int32
  ) async throws {
    let tape = try TapedShop()
    let recorded = try await tape.run("ask('/items/1')\nraise SystemExit(\(code))")
    #expect(recorded.code == code)
    let note =
      "note: the command ended with \(code), so 'flow test' fails until it passes\n"
    #expect(
      recorded.errors
        == "tape.yaml: 1 server (127.0.0.1:\(tape.port)), 1 request\n" + (code == 0 ? "" : note))
    #expect(try await tape.flow(["test", "tape.yaml"]).code == (code == 0 ? 0 : 1))
    let served = try await tape.run(
      "ask('/items/1')\nprint('on standard output')\nraise SystemExit(\(code))")
    #expect(served.code == code)
    #expect(served.output == "on standard output\n")
    let mended = try await tape.run("ask('/items/1')")
    #expect(mended.code == 0, "\(mended.errors)")
    let again = "record again with 'flow tape --update -- python3 runner.py \(tape.port)'"
    #expect(
      mended.errors
        == (code == 0
          ? "" : "note: the command passes now, and the recorded one failed; \(again)\n")
        + "tape.yaml: 1 request served, no server asked\n")
    tape.stop()
  }

  @Test func `a command that fails before its first request leaves no tape`() async throws {
    let tape = try TapedShop()
    let run = try await tape.run("raise SystemExit(2)")

    #expect(run.code == 2)
    #expect(run.errors == "flow: no request came, so nothing is recorded\n")
    #expect(try !tape.folder.names.contains("tape.yaml"))
    tape.stop()
  }

  @Test func `a server that does not answer is named`() async throws {
    let tape = try TapedShop()
    let run = try await tape.run(
      """
      ask('/items/1')
      import socket
      with socket.socket() as closed:
          closed.bind(("127.0.0.1", 0))
          sys.argv[1] = str(closed.getsockname()[1])
          try: ask('/items/2')
          except OSError: pass
      print(sys.argv[1])
      """)

    #expect(run.code == 0)
    let port = run.output.dropLast()
    #expect(
      run.errors.contains("note: http://127.0.0.1:\(port) has not answered: unreachable: "),
      "\(run.errors)")
    tape.stop()
  }

  @Test func `hosts can be reached without flow`() async throws {
    let tape = try TapedShop()
    let run = try await tape.run(
      """
      ask('/items/1')
      print(os.environ['NO_PROXY'])
      """, ["--direct", "localhost,own.example"])

    #expect(run.output == "localhost,own.example\n", "\(run.errors)")
    tape.stop()
  }

  @Test func `a program that is missing has one line, and the code of shells`() async throws {
    let folder = try TemporaryFolder()
    let run = try await BuiltProgram.run("flow", ["tape", "--", "no-such-program"], in: folder)

    #expect(
      run.errors == """
        flow: there is no program 'no-such-program' in the PATH of flow
        flow: nothing is recorded

        """)
    #expect(run.code == 127)
    #expect(try folder.names == [])
  }

  @Test(arguments: [["--file", "none/tape.yaml"], ["--receipt", "none/receipt.json"]])
  func `a place that cannot be written is refused before the command runs`(
    _ options: [String]
  ) async throws {
    let folder = try TemporaryFolder()
    let run = try await BuiltProgram.run(
      "flow", ["tape"] + options + ["--", "touch", "ran"], in: folder)

    #expect(run.errors.hasPrefix("flow: cannot write 'none/"), "\(run.errors)")
    #expect(run.errors.hasSuffix(": there is no folder 'none'\n"), "\(run.errors)")
    #expect(run.code == 73)
    #expect(try folder.names == [])
  }

  @Test(arguments: [
    (["tape"], "flow: COMMAND is missing\nsee 'flow help tape'\n"),
    (
      ["tape", "--", "echo", "${{ 1 }}"],
      "flow: '${{ 1 }}': a scenario reads '${{' as an expression; put the command into a script\nsee 'flow help tape'\n"
    ),
    (
      ["tape", "--listen", "8080"],
      "flow: '--listen' needs '--to'\nsee 'flow help tape'\n"
    ),
    (
      ["tape", "--listen", "8080", "--to", "ftp://a"],
      "flow: '--to': expected http://HOST:PORT, got 'ftp://a'\nsee 'flow help tape'\n"
    ),
    (
      ["tape", "--file", "other.yaml", "--", "true"],
      "flow: 'other.yaml' has no input 'command', so it is no tape; '--file' names another\n"
    ),
  ])
  func `a wrong command line has one error`(_ arguments: [String], _ error: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\nsteps: [{set: {a: 1}}]\n", to: "other.yaml")
    let run = try await BuiltProgram.run("flow", arguments, in: folder)

    #expect(run.errors == error)
    #expect(run.code == (error.contains("help") ? 64 : 65))
  }

  @Test func `nothing is recorded where CI is set`() async throws {
    let tape = try TapedShop()
    let run = try await tape.run("ask('/items/1')", variables: ["CI": "true"])

    #expect(run.code == 1)
    #expect(
      run.errors == """
        flow: CI is set, and there is no recording of 'tape.yaml': record on your machine, and commit \
        'tape.yaml' and 'tape.transcript.jsonl'

        """)
    #expect(tape.connections == 0)
    tape.stop()
  }

  @Test func `a receipt says what was served and asked`() async throws {
    let tape = try TapedShop()
    let program = #"with test("b"): ask("/items/1")"#
    _ = try await tape.run(program, ["--receipt", "asked.json"])
    _ = try await tape.run(program, ["--receipt", "served.json"])

    let request =
      #"{"at":"components/proxy#1/proxy#1/@b-"#
    for (name, other) in [("asked", "served"), ("served", "asked")] {
      let text = try tape.folder.text("\(name).json")
      #expect(text.contains(#""\#(name)":[\#(request)"#), "\(text)")
      #expect(text.contains(#""\#(other)":[]"#), "\(text)")
      #expect(text.contains(#""status":0,"passed":true"#), "\(text)")
      #expect(text.contains(#""method":"GET","path":"/items/1","status":200}"#), "\(text)")
    }
    #expect(
      try tape.folder.text("asked.json").prefix { $0 != "[" }
        == tape.folder.text("served.json").prefix { $0 != "[" })
    tape.stop()
  }

  /// Requests to the proxy itself, each with its answer.
  @Test(arguments: [
    ("POST /begin", #"{"test": "a"}"#, "204 "),
    ("POST /end", #"{"test": "a"}"#, "400 'a' has not begun\n"),
    (
      "POST /begin", #"{"test": 7}"#,
      "400 this is no news of a test: POST /begin or /end with {\"test\": NAME}\n"
    ),
    (
      "POST /begin", "",
      "400 this is no news of a test: POST /begin or /end with {\"test\": NAME}\n"
    ),
    (
      "GET /begin", #"{"test": "a"}"#,
      "400 this is no news of a test: POST /begin or /end with {\"test\": NAME}\n"
    ),
    (
      "POST /", #"{"test": "a"}"#,
      "400 this is no news of a test: POST /begin or /end with {\"test\": NAME}\n"
    ),
  ])
  func `the proxy takes news of tests alone`(
    _ request: String, _ body: String, _ answer: String
  ) async throws {
    let tape = try TapedShop()
    let words = request.split(separator: " ")
    let run = try await tape.run(
      """
      ask('/items/1')
      print(tell('\(words[0])', '\(words[1])', '''\(body)'''), end='')
      """)

    #expect(run.output == answer, "\(run.errors)")
    tape.stop()
  }

  @Test func `a name without the token is refused`() async throws {
    let tape = try TapedShop()
    let run = try await tape.run(
      """
      ask('/items/1')
      for pair in ['flow', 'flow:', ':', 'flow:' + token + 'a', 'flow:' + token[:-1], token, '']:
          print(tell('POST', '/begin', '{"test": "a"}', pair)[:3])
      print(tell('POST', '/begin', '{"test": "a"}', 'any name:' + token)[:3])
      """)

    #expect(run.output == String(repeating: "407\n", count: 7) + "204\n", "\(run.errors)")
    tape.stop()
  }
}

/// A command with tests of its own, behind flow, and the server that it asks.
private final class TapedShop: Sendable {
  private let shop: ShopUpstream

  init() throws {
    shop = try ShopUpstream()
    try shop.folder.write(Self.runner, to: "runner.py")
    try shop.folder.remove("scenario.yaml")
  }

  var folder: TemporaryFolder { shop.folder }
  var port: String { shop.port }
  var connections: Int { shop.connections }

  var lines: [Substring] {
    get throws { try folder.text("tape.transcript.jsonl").split(separator: "\n") }
  }

  /// Runs a program behind `flow tape`, which records the first one that passes.
  func run(
    _ program: String, _ options: [String] = [], variables: [String: String] = [:]
  ) async throws -> BuiltProgram {
    try folder.write(program + "\n", to: "tests.py")
    return try await flow(
      ["tape"] + options + ["--", "python3", "runner.py", port], variables: variables)
  }

  func flow(
    _ arguments: [String], variables: [String: String] = [:]
  ) async throws -> BuiltProgram {
    try await BuiltProgram.run(
      "flow", arguments, in: folder,
      environment: variables.merging(["CI": "", "FLOW_TAPE": ""]) { given, _ in given })
  }

  func stop() { shop.stop() }

  private static let runner = """
    import base64, contextlib, os, sys, urllib.error, urllib.parse, urllib.request, json
    tape = urllib.parse.urlsplit(os.environ["FLOW_TAPE"])
    token = tape.password
    failed = False

    def opened(request, proxies):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler(proxies))
        with opener.open(request, timeout=60) as answer:
            return answer.status, answer.read().decode()

    def tell(method, path, body, pair=None, user="flow"):
        pair = f"{user}:{token}" if pair is None else pair
        headers = {"Proxy-Authorization": "Basic " + base64.b64encode(pair.encode()).decode()}
        request = urllib.request.Request(
            f"http://127.0.0.1:{tape.port}{path}", body.encode(), headers, method=method)
        try:
            return "%d %s" % opened(request, {})
        except urllib.error.HTTPError as error:
            return "%d %s" % (error.code, error.read().decode())

    @contextlib.contextmanager
    def test(name, user="flow"):
        global failed
        tell("POST", "/begin", json.dumps({"test": name}), user=user)
        try: yield
        except OSError: pass
        answer = tell("POST", "/end", json.dumps({"test": name}), user=user)
        if answer != "204 ":
            failed = True
            print(name + ":", answer[4:].split("\\n")[0], flush=True)

    def ask(path, user="flow", method="GET"):
        request = urllib.request.Request(f"http://127.0.0.1:{sys.argv[1]}{path}", method=method)
        return opened(request, {"http": f"http://{user}:{token}@127.0.0.1:{tape.port}"})[1]

    exec(open("tests.py").read())
    sys.exit(1 if failed else 0)

    """
}
