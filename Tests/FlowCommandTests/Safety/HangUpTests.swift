import TestKit
import Testing

/// Runs whose terminal is closed.
@Suite struct HangUpTests {
  /// A scenario whose first step sends the signal to `flow`, which waits in the second one.
  private static let scenario = """
    flow: 1
    components: {p: {plugin: process}}
    steps:
      - {uses: p.run, with: {argv: [kill -HUP $PPID], shell: true}}
      - {id: rest, wait: 200ms}
    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "hang.yaml")
  }

  @Test func `a hang-up stops a run`() throws {
    let longer = Self.scenario.replacing("200ms", with: "1h")
    try folder.write(longer, to: "hang.yaml")
    let ended = try BuiltFlow(#"exec "$0" run hang.yaml --quiet"#, in: folder)

    #expect(ended.code == 129)
    #expect(ended.errors.hasPrefix("flow: stopping; press Ctrl-C again to stop at once\n"))
  }

  @Test func `a run goes on where hang-ups are ignored, as below nohup`() throws {
    let ended = try BuiltFlow(#"trap '' HUP; exec "$0" run hang.yaml --quiet"#, in: folder)

    #expect(ended.errors == "")
    #expect(ended.code == 0)
  }

  @Test func `requests to stop that come together are one, so that finally runs`() throws {
    let scenario = Self.scenario.replacing(
      "kill -HUP $PPID", with: "kill -TERM $PPID; kill -HUP $PPID"
    )
    .replacing("200ms", with: "1h")
    try folder.write(scenario + "\nfinally: [{id: last, wait: 1ms}]\n", to: "hang.yaml")
    let ended = try BuiltFlow(#"exec "$0" run hang.yaml"#, in: folder)

    #expect([129, 143].contains(ended.code))
    #expect(ended.output.contains("finally/last"), "\(ended.output)")
  }

  @Test func `a request to stop is heard though nobody reads what is printed`() throws {
    try folder.write("flow: 1\nsteps: [{wait: 1h}]\n", to: "wait.yaml")
    // The pipe is full before `flow` starts, and none reads it during the run. The signal is not
    // SIGINT, because a program in the background of a script ignores it after the run.
    let ended = try BuiltFlow(
      #"""
      mkfifo full
      exec 3<>full
      dd if=/dev/zero of=full bs=4096 oflag=nonblock 2>/dev/null
      "$0" run wait.yaml 2>full & run=$!
      while kill -TERM $run 2>/dev/null; do sleep 0.1; done
      wait $run
      """#, in: folder)

    // By flow while the run goes on, by the system when nothing but its report is left to print.
    #expect(ended.code == 143)
  }
}
