import FlowCore
import TestKit
import Testing

/// Coloured output, with `^` for the escape character.
@Suite struct ColorTests {
  private static let colors: [(variables: [String: String], hasColors: Bool)] = [
    ([:], false), (["FORCE_COLOR": ""], false), (["FORCE_COLOR": "1"], true),
    (["FORCE_COLOR": "1", "NO_COLOR": ""], true), (["FORCE_COLOR": "1", "NO_COLOR": "1"], false),
    (["FORCE_COLOR": "1", "TERM": "dumb"], true),
  ]

  private let suite: SuiteFolder

  init() throws { suite = try SuiteFolder() }

  @Test(arguments: colors)
  func `FORCE_COLOR asks for colours, and NO_COLOR goes before it`(
    _ variables: [String: String], _ hasColors: Bool
  ) async throws {
    try suite.write("a.yaml")

    let run = try await suite.flow(["run", "@/a.yaml"], environment: variables)

    let text = """
      ^[1mx^[0m
        ^[32mpassed^[0m p.count  ^[2m(T)^[0m
      ^[32mpassed^[0m in T: steps 1 passed

      """
    #expect(run.output == Self.shown(text, hasColors))
  }

  /// Commands whose errors each have another form.
  private static let failures: [(arguments: [String], errors: String)] = [
    (
      ["check", "@/wrong.yaml"],
      """
      ^[1m@/wrong.yaml:4:5:^[0m ^[1;31merror:^[0m ^[1munknown key 'usse' in a step^[0m; \
      ^[32mdid you mean 'uses'?^[0m ^[2m[F1102]^[0m
      ^[2m    4 |^[0m   - usse: p.count
      ^[2m      |^[0m     ^[1;31m^^^^^[0m

      """
    ),
    (
      ["check", "@/odd.yaml"],
      """
      ^[1m@/odd.yaml:2:10:^[0m ^[1;33mwarning:^[0m ^[1mthe input 'x' is never used^[0m ^[2m[F1502]^[0m
      ^[2m    2 |^[0m inputs: {x: {type: int, default: 1}}
      ^[2m      |^[0m          ^[1;33m^^[0m

      """
    ),
    (
      ["run", "@/failing.yaml"],
      """
      ^[1m@/failing.yaml:2:23:^[0m ^[1;31merror:^[0m ^[1m'assert#1': assertion failed^[0m ^[2m[F2004]^[0m
      ^[2m    2 |^[0m steps: [{assert: "${{ 1 == 2 }}"}]
      ^[2m      |^[0m                       ^[1;31m^^^^^^^[0m

      """
    ),
    (
      ["test", "@/failing.yaml"],
      """
      ^[1m@/failing.yaml:2:23:^[0m ^[1;31merror:^[0m ^[1m'assert#1': assertion failed^[0m ^[2m[F2004]^[0m
      ^[2m    2 |^[0m steps: [{assert: "${{ 1 == 2 }}"}]
      ^[2m      |^[0m                       ^[1;31m^^^^^^^[0m

      """
    ),
    (["rnu"], "^[1mflow:^[0m unknown command 'rnu'; did you mean 'run'?\nsee 'flow --help'\n"),
    (
      ["check", "@/none"],
      "^[1;31merror:^[0m ^[1mcannot read '@/none': no such file^[0m ^[2m[F1001]^[0m\n"
    ),
  ]

  @Test(arguments: failures.indices, [true, false])
  func `errors are in colours by the same rules as the rest`(
    _ index: Int, _ hasColors: Bool
  ) async throws {
    let failure = Self.failures[index]
    try suite.folder.write(
      "flow: 1\ncomponents: {p: {plugin: probe}}\nsteps:\n  - usse: p.count\n", to: "wrong.yaml")
    try suite.folder.write(
      "flow: 1\ninputs: {x: {type: int, default: 1}}\nsteps: [{set: {y: 1}}]\n", to: "odd.yaml")
    try suite.folder.write("flow: 1\nsteps: [{assert: \"${{ 1 == 2 }}\"}]\n", to: "failing.yaml")

    let run = try await suite.flow(
      failure.arguments, environment: ["FORCE_COLOR": "1", "NO_COLOR": hasColors ? "" : "1"])

    #expect(run.errors == Self.shown(failure.errors, hasColors))
  }

  private static func shown(_ text: String, _ hasColors: Bool) -> String {
    hasColors ? text.replacing("^[", with: "\u{1B}[") : text.replacing(/\^\[[\d;]+m/, with: "")
  }
}

/// Streams with colours by default: each that is a terminal.
@Suite(
  .enabled(if: EmulatedTerminal.python != nil, "not run: no python3 with pyte (python3-pyte)"))
struct ColoredStreamTests {
  // Gives the program a terminal in the place of one stream and a pipe in that of the other, and prints both.
  private static let script = """
    import os, pty, subprocess, sys
    name = sys.argv[1]
    terminal, side = pty.openpty()
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    if name in streams: streams[name] = side
    run = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL, **streams)
    os.close(side)
    text = b""
    try:
        while chunk := os.read(terminal, 4096): text += chunk
    except OSError: pass
    texts = {"stdout": run.stdout, "stderr": run.stderr}
    if name in texts: texts[name] = text
    for name, text in texts.items():
        print(name, "in colours" if b"\\x1b[31m" in text or b"\\x1b[1;31m" in text else "plain")
    """

  @Test(arguments: [
    ("none", "xterm", "stdout plain\nstderr plain\n"),
    ("stderr", "xterm", "stdout plain\nstderr in colours\n"),
    ("stdout", "xterm", "stdout in colours\nstderr plain\n"),
    ("stderr", "dumb", "stdout plain\nstderr plain\n"),
  ])
  func `a stream that is a terminal has colours, whatever the other one is`(
    _ terminal: String, _ kind: String, _ expected: String
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\nsteps: [{assert: \"${{ 1 == 2 }}\"}]\n", to: "a.yaml")

    let run = try ChildProcess(
      try #require(EmulatedTerminal.python),
      ["-c", Self.script, terminal, BuiltFlow.path, "run", "a.yaml"],
      in: folder.directory.path,
      environment: ["TERM": kind, "CI": "", "NO_COLOR": "", "FORCE_COLOR": ""]
    ).ending()

    #expect(run.errors == "")
    #expect(run.output == expected)
  }
}
