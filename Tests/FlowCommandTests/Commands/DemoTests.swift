import FlowCore
import Foundation
import TestKit
import Testing

@testable import FlowCommand

/// `flow demo`, whose commands really run.
@Suite struct DemoTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let scenes = #"""

    $ flow check
    refund.yaml:10:26: error: the record has no field 'balence'; did you mean 'balance'? [F1304]
       10 |       - ${{ steps.refund.balence == 25.50 }}
          |                          ^^^^^^^
    1 of 4 scenarios has mistakes: 1 error
    found: a misspelt name, before anything ran

    $ flow test basket.yaml checkout.yaml order.yaml
    [1/3] failed   basket.yaml  (T)
    basket.yaml:12:13: error: 'assert#1': assertion failed [F2004]
       12 |       - ${{ steps.basket.json.total == sum }}
          |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      note: steps.basket.json.total is 29.50, from line 6
      note: sum is 49.50, set at line 10 from steps.basket.json.items ([{count: 2, price: 20.00, title: "Lamp"}, {count: 1, price: 9.50, title: "Book"…) at line 6
    [2/3] passed   checkout.yaml  (T)
    [3/3] passed   order.yaml  (T)
    failed in T: scenarios 2 passed, 1 failed
    replayed: shop, wallet
    found: the shop forgets the second lamp, which its recorded answer shows without the shop

    $ flow mutate order.yaml --at-least 100
    shop.post, ok.json.total: 2 of 2 not noticed
      shop.post#1, ok.json.total: 49.50 -> 50.50 or -49.50
        expect: {status: 201, json: {number: 12, state: open, total: 49.50}}
    6 of 8 alterations were noticed, 75.0 %, in T
    found: the shop may charge any total: order.yaml passes, and does not look at it

    $ flow explore checkout.yaml
    checkout.yaml
    tried 3 schedules in T, N a second: 2 outcomes, up to 12 choices per run
    failed with 1 delay:
      wallet at 'components/wallet#1' is called with {opening: 10.00}
      wallet at 'components/wallet#1' answers {}
      wallet.subtract at 'parallel/book/wallet.subtract#1' is called with {amount: 6.00}
      (a task that has not made a call yet waits, and others go first)
      wallet.subtract at 'parallel/lamp/wallet.subtract#1' is called with {amount: 5.00}
      wallet.changed {balance: 4.00} is reported
      wallet.subtract at 'parallel/book/wallet.subtract#1' answers {balance: 4.00}
      wallet.subtract at 'parallel/lamp/wallet.subtract#1' answers the error 'insufficient'
    recorded checkout.transcript.explored.jsonl; 'flow replay checkout.transcript.explored.jsonl --live' runs it again
    checkout.yaml:9:21: error: 'parallel/lamp/wallet.subtract#1' failed with the error 'insufficient' [F2002]
        9 |       lamp: [{uses: wallet.subtract, with: {amount: 5.00}}]
          |                     ^^^^^^^^^^^^^^^
      note: 5.00 is more than the balance of 4.00
      input: {amount: 5.00}
    found: the lamp is refused before the gift comes: checkout.yaml passed in one order only

    found all 4 bugs

    next:

    """#

  private static let project = "  flow init FOLDER    creates a project of your own\n"

  /// Runs the demo with the folder of the test for temporary files.
  private func demo(_ arguments: String = "", _ variables: String = "") throws -> BuiltFlow {
    try BuiltFlow(
      #"mkdir tmp; TMPDIR="$PWD/tmp" NO_COLOR= \#(variables) "$0" demo \#(arguments)"#, in: folder)
  }

  private func shown(_ text: String) -> String {
    text.withoutDurations.replacing(/, \d+ a second/, with: ", N a second")
      .replacing(/flow-demo\.\w{6}/, with: "flow-demo.X")
      .replacing(folder.directory.path, with: "@")
  }

  @Test func `each command finds its bug, and nothing is left`() throws {
    let run = try demo()

    #expect(
      shown(run.output) == "A shop with 4 bugs, in @/tmp/flow-demo.X\n" + Self.scenes
        + "  flow demo FOLDER    keeps the files, which are removed now\n" + Self.project)
    #expect(run.errors == "")
    #expect(run.code == 0)
    #expect(try BuiltFlow("ls -A tmp", in: folder).output == "")
  }

  @Test func `the files stay in a named folder, where the commands can be typed`() throws {
    let run = try demo("shop")
    let again = try BuiltFlow(#"cd shop && "$0" check"#, in: folder)
    let twice = try demo("shop")

    #expect(
      shown(run.output) == "A shop with 4 bugs, in shop\n" + Self.scenes
        + "  cd shop             has the files; mend them, and run the commands again\n"
        + Self.project)
    #expect(run.code == 0)
    #expect(again.output == "1 of 4 scenarios has mistakes: 1 error\n")
    #expect(twice.errors.hasSuffix("'shop/refund.yaml' already exist; nothing was written\n"))
    #expect(twice.output == "")
    #expect(twice.code == 73)
  }

  @Test(arguments: ["", "FLOW_UPDATE=all", "CI=true", "GITHUB_ACTIONS=true", "FORCE_COLOR=1"])
  func `in every environment the bugs are found, and with --quiet nothing else is said`(
    _ variable: String
  ) throws {
    let run = try demo("-q", variable)

    let label = variable == "FORCE_COLOR=1" ? "\u{1B}[1mfound: \u{1B}[0m" : "found: "
    let lines = Self.scenes.split(separator: "\n").filter { $0.hasPrefix("found: ") }
    #expect(
      run.output
        == lines.map { $0.replacing("found: ", with: label, maxReplacements: 1) + "\n" }.joined())
    #expect(run.errors == "")
    #expect(run.code == 0)
  }

  @Test(arguments: DemoShop.scenes.map(\.command))
  func `a command that does not find its bug is told`(_ command: String) throws {
    let scene = try #require(DemoShop.scenes.first { $0.command == command })

    #expect(scene.problem(scene.code, printed: scene.sign) == nil)
    #expect(
      scene.problem(.passed, printed: scene.sign)
        == "it ended with 0, and not with \(scene.code.rawValue)")
    #expect(
      scene.problem(scene.code, printed: "another") == "it did not print '\(scene.sign)'")
  }

  @Test func `a flow without the plugins says so`() async throws {
    let run = try await FlowCommandRun(["demo"])

    #expect(
      run.errors
        == "flow: the demo needs the plugin 'balance' and 'http', which this flow does not have\n")
    #expect(run.code == .badInput)
  }

  #if os(Linux)
    @Test func `a stopped demo removes its folder`() async throws {
      // The pipe is full, so that the demo waits at its first line.
      let script = #"""
        head -c 65536 /dev/zero
        TMPDIR="$PWD" exec "$0" demo 2>errors
        """#
      let watch = try FolderWatch(folder)
      let process = try ChildProcess(
        "/bin/sh", ["-c", script, BuiltFlow.path], in: folder.directory.path)
      let ended = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          wait(for: { made != nil }, watch, process)
          process.send(SIGINT)
          wait(for: { ((try? folder.text("errors")) ?? "").hasSuffix("\n") }, watch, process)
          continuation.resume(returning: process.ending())
        }
      }

      #expect(
        try folder.text("errors") == "flow: stopping; press Ctrl-C again to stop at once\n")
      #expect(ended.code == 130)
      #expect(try folder.names == ["errors"])
    }

    private var made: String? {
      ((try? folder.names) ?? []).first { $0.hasPrefix("flow-demo.") }
    }

    private func wait(
      for isThere: () -> Bool, _ watch: FolderWatch, _ process: ChildProcess
    ) {
      while !isThere(), process.isRunning { watch.wait(orEndOf: process) }
    }
  #endif
}
