import TestKit
import Testing

#if os(Linux)
  /// Runs of the tool itself under strict limits of the system.
  @Suite struct ThreadLimitTests {
    private static let scenario = """
      flow: 1
      components: {balance: {plugin: balance, with: {opening: 100.00}}}
      steps:
        - {uses: balance.load}

      """

    @Test func `a limit that allows no threads ends with an error`() throws {
      let folder = try TemporaryFolder()
      try folder.write(Self.scenario, to: "s.yaml")
      // The program fits into the limit of memory, but the stacks of its threads do not. `timeout`
      // kills a run that hangs, as a milder signal would hang with it.
      let run = try BuiltFlow(
        "ulimit -s 400000 && ulimit -v 900000 && exec timeout -s KILL 300 \"$0\" run s.yaml",
        in: folder)

      #expect(
        run.errors
          == "flow: cannot start threads; the limit of memory or processes is too small\n")
      #expect(run.code == 70)
    }
  }
#endif
