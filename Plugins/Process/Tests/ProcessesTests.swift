import FlowCore
import FlowTesting
import Foundation
import Subprocess
import TestKit
import Testing

@testable import ProcessPlugin

/// One test at a time, so that the descriptors of one are not counted by another.
@Suite(.serialized) struct ProcessesTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeHeldPipe("held")
  }

  @Test(arguments: ComponentCheck.allCases, ["server", "terminal"])
  func `programs pass the checks of components`(
    _ check: ComponentCheck, scenario: String
  ) async throws {
    let sample = try ScenarioFile("../Scenarios/\(scenario).yaml")

    try await ComponentChecks(Processes.self, sample: sample).verify(check)
    #expect(try Descriptors.ofProcesses() == [])
  }

  @Test(arguments: try Scenarios.all(in: "../Scenarios"))
  func `a scenario replays`(_ scenario: ScenarioFile) async throws {
    try await scenario.replay(try Registry([Processes.self]))
  }

  @Test func `a program is run with its arguments, its input, its variables and its folder`()
    async throws
  {
    try folder.write("", to: "inner/file")
    let programs = try await open()
    let runs: [(input: [String: any FieldValue], expected: String)] = [
      (["argv": ["printf", "%s|", "a b", "$HOME"]], ran("a b|$HOME|")),
      (["argv": ["cat; echo $((1 + 1))"], "shell": true, "stdin": "in\n"], ran("in\\n2\\n")),
      (["argv": ["printf", "%s|", "a | b"], "shell": false], ran("a | b|")),
      (["argv": ["cat"]], ran("")),
      (["argv": ["sh", "-c", "echo $A"], "env": ["A": "b"]], ran("b\\n")),
      (["argv": ["ls"], "directory": "inner"], ran("file\\n")),
      (
        ["argv": ["echo ${HOME-none}"], "shell": true, "env": ["HOME": String?.none]],
        ran("none\\n")
      ),
      (["argv": ["printf 'a\\377b'"], "shell": true], ran("a\u{FFFD}b")),
    ]

    for run in runs { #expect(await programs.run(run.input) == run.expected) }
  }

  @Test func `how a program ended is an answer`() async throws {
    let programs = try await open()

    #expect(await programs.run(["argv": ["exit 3"], "shell": true]) == ran("", status: 3))
    #expect(
      await programs.run(["argv": ["kill -TERM $$"], "shell": true])
        == ran("", status: 143).replacing("signal: null", with: "signal: \"SIGTERM\""))
  }

  @Test(arguments: [
    (
      #"{"argv": ["a", "b"], "shell": true}"#,
      "invalid: with 'shell: true', 'argv' is one command line, not 2 words; give it values in 'env'"
    ),
    (#"{"argv": [""], "shell": true}"#, "invalid: 'argv' has no program"),
    (#"{"argv": []}"#, "invalid: 'argv' has no program"),
    (#"{"argv": [""]}"#, "invalid: 'argv' has no program"),
    (#"{"argv": ["a", "\u0000"]}"#, "invalid: an argument contains a zero byte"),
    (
      #"{"argv": ["a"], "shell": true, "limit": -1}"#,
      "invalid: 'limit' must be from 0 to 67108864, not -1"
    ),
    (#"{"argv": ["a"], "shell": true, "grace": "-1s"}"#, "invalid: 'grace' cannot be negative"),
    (
      #"{"argv": ["a"], "shell": true, "env": {"=": ""}}"#,
      "invalid: '=' cannot be the name of a variable"
    ),
    (
      #"{"argv": ["a"], "shell": true, "env": {"A": "\u0000"}}"#,
      "invalid: the variable 'A' contains a zero byte"
    ),
    (
      #"{"argv": ["a"], "shell": true, "env": {"B=": "", "A=": "", "C=": "", "D=": "", "E=": ""}}"#,
      "invalid: 'A=' cannot be the name of a variable"
    ),
    (
      #"{"argv": ["no-such-program"]}"#,
      "not_found: there is no program 'no-such-program' in the PATH of flow"
    ),
    (#"{"argv": ["./none"]}"#, "not_found: there is no program './none'"),
    (
      #"{"argv": ["./script"], "directory": "inner"}"#,
      "start_failed: cannot start './script': its interpreter '/no/such/shell' is missing"
    ),
    (
      #"{"argv": ["./windows"], "directory": "inner"}"#,
      #"start_failed: cannot start './windows': its interpreter '/bin/sh\r' is missing: its first "#
        + "line ends with CR LF instead of LF"
    ),
    (#"{"argv": ["./script"]}"#, "not_found: there is no program './script'"),
    (#"{"argv": ["./text"]}"#, "start_failed: cannot start './text': permission denied"),
    (
      #"{"argv": ["a"], "shell": true, "directory": "none"}"#,
      "start_failed: cannot enter 'none': no such folder"
    ),
    (
      #"{"argv": ["a"], "shell": true, "directory": "text"}"#,
      "start_failed: cannot enter 'text': not a folder"
    ),
    (
      #"{"argv": ["a"], "shell": true, "directory": ".."}"#,
      "start_failed: cannot enter '..': the path is outside the scenario's folder"
    ),
    (
      #"{"argv": ["a"], "shell": true, "to": "../out"}"#,
      "unwritable: cannot write '../out': the path is outside the scenario's folder"
    ),
    (
      #"{"argv": ["a"], "stderr_to": "../out"}"#,
      "unwritable: cannot write '../out': the path is outside the scenario's folder"
    ),
  ])
  func `what cannot be run has a declared error`(_ input: String, expected: String) async throws {
    try folder.write("text", to: "text")
    try folder.write("#! /no/such/shell -x", to: "inner/script")
    try folder.write("#!/bin/sh\r\necho\r\n", to: "inner/windows")
    for script in ["inner/script", "inner/windows"] { try folder.setMode(0o700, of: script) }
    let programs = try await open()

    #expect(await programs.run(try inputs(input)) == expected)
    #expect(try Descriptors.ofProcesses() == [])
  }

  @Test func `a folder that is removed meanwhile is what is missing, not the program`() async throws
  {
    try folder.write("", to: "gone/file")
    let programs = try await OpenComponent(Processes.self, in: folder.path("gone"))
    try FileManager.default.removeItem(atPath: folder.path("gone"))

    let answer = await programs.run(["argv": ["echo"]])

    #expect(answer == "start_failed: cannot enter '.': no such folder")
  }

  @Test func `a program finds no signal ignored or blocked and three descriptors open`()
    async throws
  {
    let programs = try await open()
    // The upper half has the signals of the C library, which nothing else can change.
    let signals = await programs.run([
      "argv": ["grep -E 'Sig(Blk|Ign)' /proc/self/status | sed 's/.*\\(.*\\)\\(.\\{7\\}\\)$/\\2/'"],
      "shell": true,
    ])
    // The fourth is that of the folder which is listed.
    let descriptors = await programs.run(["argv": ["ls", "/proc/self/fd"]])

    #expect(signals == ran("0000000\\n0000000\\n"))
    #expect(descriptors == ran("0\\n1\\n2\\n3\\n"))
  }

  @Test func `the run's secrets are not among a program's variables`() throws {
    let own = Environment(["FLOW_SECRET_TOKEN=t0ken", "PATH=/bin"].map { Array($0.utf8) })

    let given = try own.withoutSecrets.adding(["B": "=", "A": nil])

    #expect(given.map { String(decoding: $0, as: UTF8.self) } == ["B==", "PATH=/bin"])
  }

  @Test func `a variable from which a secret was read is not among a program's`() throws {
    let own = Environment(["KEY=k3y", "KEYS=2", "PATH=/bin"].map { Array($0.utf8) })

    let given = try own.without(["KEY", "TOKEN"]).adding([:])

    #expect(given.map { String(decoding: $0, as: UTF8.self) } == ["KEYS=2", "PATH=/bin"])
  }

  @Test func `a program gets other variables byte by byte`() throws {
    let own =
      ["A=\u{301}", "B=", "B\u{301}=="].map { Array($0.utf8) } + [[0x43, 0x3D, 0xFF, 0x0A]]

    #expect(try Environment(own + [Array("nameless".utf8)]).adding([:]) == own)
  }

  #if os(Linux)
    @Test func `two hundred programs leave no process and no descriptor`() async {
      // In a process of its own, where no other test opens or starts anything.
      await #expect(processExitsWith: .success) {
        let programs = try await OpenComponent(Processes.self, in: "/")
        func echo(_ count: Int) async {
          for _ in 0..<count {
            let answer = await programs.run(["argv": ["/bin/echo", "hello"]])
            precondition(
              answer.contains(#"status: 0, signal: null, stdout: "hello\n", stderr: """#))
          }
        }
        await echo(1)
        let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        await echo(200)
        let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        // Dispatch opens a descriptor of its own when it first needs another clock.
        precondition(after < before + 10, "\(before) descriptors became \(after)")
        precondition(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD)
        await programs.close()
      }
    }

    @Test func `how a program ended is known though the end of programs was ignored`() async {
      await #expect(processExitsWith: .success) {
        signal(SIGCHLD, SIG_IGN)
        let answer = await (try OpenComponent(Processes.self)).run([
          "argv": ["exit 3"], "shell": true,
        ])
        precondition(answer.hasPrefix("{status: 3,"), answer)
      }
    }
  #endif

  // MARK: - Started programs

  @Test func `a line is found in what was written and in what comes, and the end is reported`()
    async throws
  {
    let programs = try await open()
    try folder.makePipe("gate")
    _ = await programs.text(
      "start",
      [
        "name": "server",
        "argv": ["echo one; echo two >&2; cat gate; printf 'last words'; exit 4"], "shell": true,
      ])

    #expect(await programs.wait(["line": "ne"]) == #"{line: "one"}"#)
    #expect(await programs.wait(["line": "tw"]) == #"{line: "two"}"#)
    async let later = programs.wait(["line": "thr"])
    #expect(await programs.run(["argv": ["echo three > gate"], "shell": true]) == ran(""))
    #expect(await later == #"{line: "three"}"#)
    #expect(await programs.wait(["line": "last"]) == #"{line: "last words"}"#)
    #expect(
      await programs.wait(["line": "none"])
        == "ended: 'server' ended with status 4 before it wrote 'none'")
    #expect(
      await programs.wait(["port": 1])
        == "ended: 'server' ended with status 4 before port 1 accepted a connection")
    #expect(
      try await programs.call("stop", ["name": "server"]).withoutElapsed
        == ran("one\\nthree\\nlast words", status: 4).replacing(
          #"stderr: """#, with: #"stderr: "two\n""#))
    // Once more, as after a failure in `finally`.
    #expect(
      try await programs.call("stop", ["name": "server"]).withoutElapsed.contains("last words"))
    #expect(
      await programs.text("stop", ["name": "other"])
        == "unknown: no program named 'other' was started")
  }

  @Test func `what a server writes is in its files while it runs`() async throws {
    let programs = try await open()
    try folder.makePipe("gate")
    let server: [String: any FieldValue] = [
      "name": "server", "argv": ["echo one; echo two >&2; cat gate"], "shell": true,
      "to": "out.log", "stderr_to": "errors.log",
    ]

    #expect(
      await programs.text("start", server.merging(["to": "../out"]) { $1 })
        == "unwritable: cannot write '../out': the path is outside the scenario's folder")
    #expect(await programs.text("start", server).hasPrefix("{pid: "))
    #expect(await programs.wait(["line": "one"]) == #"{line: "one"}"#)
    #expect(await programs.wait(["line": "two"]) == #"{line: "two"}"#)
    #expect(try folder.text("out.log") == "one\n")
    #expect(try folder.text("errors.log") == "two\n")

    try folder.remove("out.log")
    try folder.write("", to: "out.log/file")
    #expect(await programs.run(["argv": ["echo three > gate"], "shell": true]) == ran(""))
    #expect(await programs.wait(["line": "three"]) == #"{line: "three"}"#)
    #expect(
      await programs.text("stop", ["name": "server"])
        == "unwritable: cannot write 'out.log': not a file")
  }

  @Test func `a name is given once while its program runs, and a wait has one condition`()
    async throws
  {
    let programs = try await open()
    let reader: [String: any FieldValue] = ["name": "server", "argv": ["cat", "held"]]

    #expect(await programs.text("start", reader).hasPrefix("{pid: "))
    #expect(await programs.text("start", reader) == "running: 'server' is already running")
    #expect(
      await programs.text("start", ["name": "short", "argv": ["exit 4"], "shell": true]).hasPrefix(
        "{pid: "))
    #expect(
      await programs.text("wait_for", ["name": "short", "line": "none"])
        == "ended: 'short' ended with status 4 before it wrote 'none'")
    #expect(
      await programs.text("start", ["name": "short", "argv": ["exit 5"], "shell": true]).hasPrefix(
        "{pid: "))
    #expect(
      await programs.text("wait_for", ["name": "short", "line": "none"])
        == "ended: 'short' ended with status 5 before it wrote 'none'")
    #expect(
      await programs.wait([:])
        == "invalid: give exactly one of 'port', 'line', 'url' and 'prompt'")
    for url in [
      "https://localhost/", "http://example.org/", "http://localhost:0/", "localhost", "",
    ] {
      #expect(
        await programs.wait(["url": url])
          == "invalid: 'url' must lead to this machine, such as http://localhost:8080/")
    }
    #expect(
      await programs.wait(["port": 65_536]) == "invalid: 65536 is not a port from 1 to 65535")
    await programs.close()
  }

  @Test func `a URL is waited for until it answers that all is well`() async throws {
    let programs = try await open()
    let server = """
      import http.server
      class Handler(http.server.BaseHTTPRequestHandler):
        asked = 0
        def do_GET(self):
          Handler.asked += 1
          ready = self.path == "/health?a=1" and Handler.asked > 2
          self.send_response(204 if ready else 503)
          self.end_headers()
          print("asked", flush=True)
        def log_message(self, *arguments): pass
      server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
      print(server.server_address[1], flush=True)
      server.serve_forever()
      """
    _ = await programs.text("start", ["name": "server", "argv": ["python3", "-c", server]])
    let line = try await programs.call("wait_for", ["name": "server", "line": ""])
    let port = try #require(try numbers(in: line).first)
    let url = "http://localhost:\(port)/health?a=1"

    #expect(await programs.wait(["url": url]) == "{line: null}")
    let stopped = await programs.text("stop", ["name": "server"])
    #expect(stopped.components(separatedBy: "asked").count == 4)

    // One that ends without an answer.
    let deaf = """
      import socket, sys
      s = socket.create_server(("127.0.0.1", 0))
      print(s.getsockname()[1], flush=True)
      s.accept()[0].recv(9)
      sys.exit(7)
      """
    _ = await programs.text("start", ["name": "server", "argv": ["python3", "-c", deaf]])
    let other = try await programs.call("wait_for", ["name": "server", "line": ""])
    let silent = "http://127.0.0.1:\(try #require(try numbers(in: other).first))"
    #expect(await programs.wait(["url": silent]).hasPrefix("ended: 'server' ended with status 7"))
    await programs.close()
  }

  @Test func `a port is waited for until it accepts a connection`() async throws {
    let programs = try await open()
    let server = """
      import socket, sys
      s = socket.create_server(("127.0.0.1", 0))
      print(s.getsockname()[1], flush=True)
      s.accept()
      """
    _ = await programs.text("start", ["name": "server", "argv": ["python3", "-c", server]])
    let line = try await programs.call("wait_for", ["name": "server", "line": ""])
    let port = try #require(try numbers(in: line).first)

    #expect(await programs.wait(["port": Int(port)]) == "{line: null}")
    _ = await programs.text("stop", ["name": "server"])
    #expect(try Descriptors.ofProcesses() == [])
  }

  @Test(arguments: ["127.0.0.1", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1", "::ffff:0.0.0.0"])
  func `a program that finds its port taken has not begun to listen`(_ address: String)
    async throws
  {
    let programs = try await open()
    let server = """
      import socket
      family = socket.AF_INET6 if ":" in "\(address)" else socket.AF_INET
      s = socket.socket(family)
      if "ffff" in "\(address)": s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
      s.bind(("\(address)", 0))
      s.listen()
      print(s.getsockname()[1], flush=True)
      while True: s.accept()
      """
    let start = try await programs.call(
      "start", ["name": "other", "argv": ["python3", "-c", server]])
    let other = try #require(start.integer("pid"))
    let line = try await programs.call("wait_for", ["name": "other", "line": ""])
    let port = try #require(try numbers(in: line).first)
    _ = await programs.text("start", ["name": "failing", "argv": ["exit 98"], "shell": true])
    _ = await programs.text("start", ["name": "background", "argv": ["exit 0"], "shell": true])

    let taken = "port \(port) is taken by another program (python3, pid \(other))"
    #expect(
      await programs.text("wait_for", ["name": "failing", "port": Int(port)])
        == "ended: 'failing' ended with status 98; \(taken)")
    #expect(
      await programs.text("wait_for", ["name": "background", "port": Int(port)])
        == "ended: 'background' ended with status 0; \(taken)")
    await programs.close()
  }

  @Test func `a wait that is cancelled ends, and the program goes on`() async throws {
    let programs = try await open()
    _ = await programs.text("start", ["name": "server", "argv": ["cat", "held"]])

    let wait = Task { await programs.wait(["line": "never"]) }
    wait.cancel()

    #expect(await wait.value == "CancellationError()")
    #expect(await programs.text("stop", ["name": "server"]).contains("SIGTERM"))
  }

  @Test func `the end of the run stops everything that was started`() async throws {
    let programs = try await open()
    var numbers: [Int32] = []
    for name in ["one", "two"] {
      _ = await programs.text(
        "start", ["name": name, "argv": ["cat held & echo $! $$; wait"], "shell": true])
      let line = try await programs.call("wait_for", ["name": name, "line": " "])
      numbers += try self.numbers(in: line)
    }
    #expect(numbers.map(Running.isProcess) == [true, true, true, true])

    await programs.close()

    #expect(numbers.map(Running.isProcess) == [false, false, false, false])
    #expect(try Descriptors.ofProcesses() == [])
  }

  // MARK: - Secrets

  @Test func `a secret among arguments and variables is nowhere in the transcript`() async throws {
    try folder.write(
      """
      flow: 1
      name: Secrets
      inputs: {token: {type: string, secret: true}}
      components: {programs: {plugin: process}}
      steps:
        - uses: programs.run
          with:
            argv: [sh, -c, 'echo "$0" "$TOKEN"; echo "$TOKEN" >&2', "${{ inputs.token }}"]
            env: {TOKEN: "${{ inputs.token }}"}
        - name: Cut in two
          uses: programs.run
          with: {argv: [echo, "${{ inputs.token }}"], limit: 6}
        - name: In a message
          uses: programs.run
          with: {argv: ["./${{ inputs.token }}"]}
          expect: {error: not_found}
      """, to: "secrets.yaml")
    let scenario = try ScenarioFile(folder.path("secrets.yaml"))

    let run = try await scenario.run(
      try Registry([Processes.self]), options: LiveOptions(secrets: ["token": "sesame-street"]))

    let transcript = String(decoding: run.transcript, as: UTF8.self)
    #expect(!transcript.contains("sesam"))
    #expect(transcript.contains(#""stdout":"${secret:token} ${secret:token}\n""#))
    #expect(transcript.contains(#""stdout":"${secret:token}…""#))
  }

  func open() async throws -> OpenComponent {
    try await OpenComponent(Processes.self, in: folder.directory.path)
  }

  func ran(_ output: String, status: Int = 0) -> String {
    #"{status: \#(status), signal: null, stdout: "\#(output)", stderr: "", truncated: false}"#
  }

  private func inputs(_ json: String) throws -> [String: any FieldValue] {
    try [String: Value](decoding: try Value(json: Array(json.utf8)))
  }

  func numbers(in value: Value) throws -> [Int32] {
    guard case .record(let record) = value else { return [] }
    let texts = record.values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    return texts.joined(separator: " ").split { !$0.isNumber }.compactMap { Int32($0) }
  }
}
