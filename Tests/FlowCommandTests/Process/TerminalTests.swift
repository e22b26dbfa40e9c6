import TestKit
import Testing

/// The display of long runs on a terminal, which leaves nothing behind.
@Suite(
  .enabled(if: EmulatedTerminal.python != nil, "not run: no python3 with pyte (python3-pyte)"))
struct TerminalTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
  }

  private static let run = """
    flow: 1
    name: Names of 日本語 that are long enough to be broken in the narrow windows
    steps:
      - {id: a, name: "Waits \(String(repeating: "so long ", count: 12))", wait: 300ms}
      - {id: b, for: i, in: "${{ lists.range(25) }}", do: [{id: in, wait: 30ms}]}
      - id: c
        parallel:
          x: [{wait: 700ms}]
          y: [{for: i, in: "${{ lists.range(6) }}", do: [{wait: 100ms}]}]

    """

  private static let shown = """
    Names of 日本語 that are long enough to be broken in the narrow windows
      ✓ Waits \(String(repeating: "so long ", count: 12))  (T)
      ✓ b  (25 steps, T)
      ✓ c  (8 steps, T)
    passed in T: steps 36 passed

    """

  @Test(arguments: EmulatedTerminal.Window.all)
  func `a run leaves its lines and nothing else, however its window is resized`(
    _ window: EmulatedTerminal.Window
  ) throws {
    try folder.write(Self.run, to: "run.yaml")

    let terminal = try EmulatedTerminal(["run", "run.yaml"], in: folder, window)

    #expect(terminal.ending == "exit 0, \(window.resizes) resizes, few frames, keys as before")
    #expect(terminal.text == Self.shown)
  }

  @Test(arguments: EmulatedTerminal.Window.all)
  func `a suite leaves its lines and nothing else, however its window is resized`(
    _ window: EmulatedTerminal.Window
  ) throws {
    let names = (10..<40).map { "scenario-\($0)-\(String(repeating: "x", count: $0)).yaml" }
    for name in names { try folder.write("flow: 1\nsteps: [{wait: 200ms}]\n", to: name) }

    let terminal = try EmulatedTerminal(
      ["test", ".", "--update", "never", "--jobs", "3"], in: folder, window)

    #expect(terminal.ending == "exit 0, \(window.resizes) resizes, few frames, keys as before")
    let lines = names.map { "✓ \($0)  (live, no transcript, T)\n" }.joined()
    #expect(terminal.text == lines + "passed in T: scenarios 30 passed\n")
  }

  @Test(arguments: [false, true])
  func `Ctrl-C leaves no row over, and the exit code is as ever`(_ isTwice: Bool) throws {
    let steps = "steps: [{wait: 60s}]\nfinally: [{wait: \(isTwice ? "60s" : "1ms")}]\n"
    try folder.write("flow: 1\n\(steps)", to: "run.yaml")

    let terminal = try EmulatedTerminal(
      ["run", "run.yaml"], in: folder, .init(columns: 40, resizes: 0),
      environment: ["EMULATE_INTERRUPTS": isTwice ? "2" : "1"])

    #expect(terminal.ending == "exit 130, 0 resizes, few frames, keys as before")
    let begin = "run.yaml\nflow: stopping; press Ctrl-C again to stop at once\n  ✗ wait  (T)\n"
    #expect(terminal.text == begin + (isTwice ? "" : Self.afterInterrupt))
  }

  private static let afterInterrupt = """
      ✓ finally/wait  (T)
    failed in T: steps 1 passed, 1 failed
    run.yaml:2:9: error: 'wait#1' was cancelled [F2009]
        2 | steps: [{wait: 60s}]
          |         ^^^^^^^^^^^

    """

  @Test func `t says where a run is, and is not printed itself`() throws {
    try folder.write("flow: 1\nsteps: [{id: pause, wait: 2s}]\n", to: "run.yaml")

    let terminal = try EmulatedTerminal(
      ["run", "run.yaml"], in: folder, .init(columns: 40, resizes: 0),
      environment: ["EMULATE_KEY": "t"])

    #expect(terminal.ending == "exit 0, 0 resizes, few frames, keys as before")
    #expect(
      terminal.text == """
        run.yaml
        run.yaml, T
          pause#1 waits 2s, run.yaml:2
          ✓ pause  (T)
        passed in T: steps 1 passed

        """)
  }

  @Test func `an exploration shows how far it is, and leaves nothing of that`() throws {
    try folder.write(
      """
      flow: 1
      components: {balance: {plugin: balance, with: {opening: 10.00}}}
      steps: [{uses: balance.load}]

      """, to: "x.yaml")

    // Nothing happens for a second, so that the display has something to show.
    let terminal = try EmulatedTerminal(
      ["explore", "x.yaml", "--silence=balance.load"], in: folder, .init(columns: 80, resizes: 0),
      environment: ["EMULATE_KEY": "t"])

    #expect(terminal.ending == "exit 1, 0 resizes, few frames, keys as before")
    let lines = terminal.text.split(separator: "\n")
    #expect(lines.filter { $0.contains(#/^\d+ schedules?, .* outcomes?: /#) }.count == 1)
    #expect(lines.contains { $0.hasPrefix("failed with 1 call without an answer") })
  }

  @Test func `generating scenarios shows how far it is, and leaves nothing of that`() throws {
    try folder.write(
      """
      flow: 1
      components: {balance: {plugin: balance, with: {opening: 10.00}}}
      steps:
        - {uses: balance.load}

      """, to: "x.yaml")

    let terminal = try EmulatedTerminal(
      ["explore", "x.yaml", "--generate", "--budget", "1000000"], in: folder,
      .init(columns: 80, resizes: 0),
      environment: ["EMULATE_KEY": "t", "EMULATE_INTERRUPTS": "1"])

    #expect(terminal.ending == "exit 130, 0 resizes, few frames, keys as before")
    let numbers = terminal.text.replacing(/\d+/, with: "N")
    #expect(
      numbers == """
        N scenarios, N a second, N of N operations called
        flow: stopping; press Ctrl-C again to stop at once
        x.yaml
        generated N scenarios with N calls in T, N a second
        called N of N operations
        errors: balance.add: illegal, balance.subtract: illegal, balance.subtract: insufficient
        events: balance.changed
        interrupted; no failure found so far

        """)
  }

  @Test func `Ctrl-Z where no shell is there stops nothing, and the keys are still taken`() throws {
    try folder.write("flow: 1\nsteps: [{wait: 2s}]\n", to: "run.yaml")

    let terminal = try EmulatedTerminal(
      ["run", "run.yaml"], in: folder, .init(columns: 40, resizes: 0),
      environment: ["EMULATE_KEY": "\u{1A}"])

    #expect(terminal.ending == "exit 0, 0 resizes, few frames, keys as before")
    #expect(terminal.text == "run.yaml\n  ✓ wait  (T)\npassed in T: steps 1 passed\n")
  }

  @Test func `a quit signal leaves no row over and gives the keys back`() throws {
    try folder.write("flow: 1\nsteps: [{wait: 60s}]\n", to: "run.yaml")

    let terminal = try EmulatedTerminal(
      ["run", "run.yaml"], in: folder, .init(columns: 40, resizes: 0),
      environment: ["EMULATE_KEY": "\u{1C}"])

    #expect(terminal.ending == "exit -3, 0 resizes, few frames, keys as before")
    #expect(terminal.text == "run.yaml\n")
  }

  @Test(arguments: [("CI", "1"), ("TERM", "dumb")])
  func `where nothing may be redrawn, the lines of a suite are counted`(
    _ name: String, _ value: String
  ) throws {
    for name in ["a.yaml", "b.yaml"] {
      try folder.write("flow: 1\nsteps: [{wait: 300ms}]\n", to: name)
    }

    let terminal = try EmulatedTerminal(
      ["test", ".", "--update", "never"], in: folder, .init(columns: 80, resizes: 0),
      environment: [name: value])

    let mark = name == "CI" ? "✓" : "passed  "
    #expect(
      terminal.text == """
        [1/2] \(mark) a.yaml  (live, no transcript, T)
        [2/2] \(mark) b.yaml  (live, no transcript, T)
        passed in T: scenarios 2 passed

        """)
  }
}

/// The messages without a terminal.
@Suite struct WhereaboutsTests {
  @Test(arguments: [
    (
      "run --journal begun",
      "run.yaml, 0 s\n  pause#1 waits 60s, run.yaml:5\n  f.write#1 answered {size: 3}\n"
    ),
    ("test --update never", "0/1 done\nrun.yaml, 0 s\n  pause#1 waits 60s, run.yaml:5\n"),
  ]) func `SIGUSR1 asks where the runs are, and ends nothing`(
    _ command: String, _ places: String
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components: {f: {plugin: file}}
      steps:
        - {uses: f.write, with: {path: begun, text: "now"}}
        - {id: pause, wait: 60s}

      """, to: "run.yaml")

    // Repeated until the run reaches the step that waits.
    let run = try BuiltFlow(
      """
      "$0" \(command) run.yaml > output 2> errors &
      until [ -s begun ]; do kill -0 $!; done
      until grep -q 60s errors; do kill -USR1 $!; done
      kill -TERM $!
      wait $!
      """, in: folder)

    let errors = try folder.text("errors").replacing(/, \d+ s\n/, with: ", 0 s\n")
    #expect(errors.contains(places))
    #expect(run.code == 143)
  }
}
