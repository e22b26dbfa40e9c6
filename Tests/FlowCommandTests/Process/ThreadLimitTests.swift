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

    @Test func `a limit that allows no threads of components ends with an error, too`() throws {
      let folder = try TemporaryFolder()
      try folder.write(Self.scenario, to: "s.yaml")
      // Enough for the workers and three more.
      let limit = "$((100000 * ($(getconf _NPROCESSORS_ONLN) + 6)))"
      let run = try BuiltFlow(
        "ulimit -s 100000 && ulimit -v \(limit) && exec timeout -s KILL 300 \"$0\" run s.yaml",
        in: folder)

      #expect(
        run.errors
          == "flow: cannot start threads; the limit of memory or processes is too small\n")
      #expect(run.code == 70)
    }

    @Test(arguments: [5, 8, 12, 18])
    func `a limit that allows few open files ends with an error`(_ limit: Int) throws {
      let folder = try TemporaryFolder()
      try folder.write(Self.scenario, to: "s.yaml")
      let run = try BuiltFlow("ulimit -n \(limit) && exec \"$0\" run s.yaml", in: folder)

      #expect(
        run.errors
          == "flow: cannot open 16 files; the limit of open files is too small (ulimit -n)\n")
      #expect(run.code == 70)
    }

    @Test func `a run that has used up its open files can still wait`() throws {
      let folder = try TemporaryFolder()
      try folder.makeHeldPipe("held")
      let starts = (1...12).map {
        "  - {uses: programs.start, with: {name: p\($0), argv: [cat, held]}, continue-on-error: true}\n"
      }
      try folder.write(
        "flow: 1\ncomponents: {programs: {plugin: process}}\nsteps:\n" + starts.joined()
          + "  - wait: 1ms\n", to: "s.yaml")
      for limit in 22...27 {
        let run = try BuiltFlow("ulimit -n \(limit) && exec \"$0\" run s.yaml --quiet", in: folder)

        #expect(run.code == 0, "\(limit): \(run.errors)")
      }
    }
  }
#endif
