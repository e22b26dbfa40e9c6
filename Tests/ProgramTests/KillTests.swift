import Foundation
import TestKit
import Testing

/// A process is killed while components use others, and another one goes on.
@Suite struct KillTests {
  private static let rounds = Stress.count(2, full: 100)

  private static let scenario = """
    flow: 1
    components:
      account: {plugin: balance, with: {opening: 100.00, file: account.txt}}
      savings: {plugin: balance, with: {opening: 1.00, file: savings.txt}}
      purse: {plugin: balance, with: {opening: 1.00}}
      careful: {plugin: shopper, with: {state: external}, using: {store: account, purse: savings}}
      quick: {plugin: shopper, with: {state: memory}, using: {store: account, purse: purse}}
    steps:
      - parallel:
          one:
            - for: x
              in: ${{ lists.range(6) }}
              parallel: 2
              do: [{uses: careful.buy, with: {amount: 2.00}}]
          two:
            - for: x
              in: ${{ lists.range(6) }}
              do: [{uses: quick.buy, with: {amount: 3.00}}]
      - {id: account, uses: account.load}
      - {id: savings, uses: savings.load}
      - {id: purse, uses: purse.load}
    outputs:
      account: ${{ steps.account.balance }}
      savings: ${{ steps.savings.balance }}
      purse: ${{ steps.purse.balance }}

    """

  /// The last line of a journal, and the contents of the files.
  private func ending(_ folder: TemporaryFolder) throws -> [Substring] {
    let lines = try folder.text("journal").unsealed.split(separator: "\n")
    let calls = lines.filter { $0.contains(#","invoke":"#) }.count
    return try [lines.last ?? "", "\(calls) calls"]
      + ["account.txt", "savings.txt"].map { try folder.text($0).prefix { $0 != "\n" } }
  }

  @Test func `every run ends as if it had been left alone`() async throws {
    let alone = try TemporaryFolder()
    try alone.write(Self.scenario, to: "s.yaml")
    #expect(
      try await BuiltProgram.run(
        "flow-shopping", ["run", "s.yaml", "--journal", "journal", "--quiet"], in: alone
      ).code
        == 0)
    let expected = try ending(alone)
    #expect(expected.contains("82.00") && expected.contains("19.00"), "\(expected)")

    for round in 0..<Self.rounds {
      let folder = try TemporaryFolder()
      try folder.write(Self.scenario, to: "s.yaml")
      var arguments = ["run", "s.yaml", "--journal", "journal"]
      // Some lines further each time, so that the next process is killed while it does something new.
      for kill in 1...3 {
        let line = kill * 60 + round * 17 % 50
        let run = try await BuiltProgram.run(
          "flow-shopping", arguments + ["--quiet"], in: folder, killedAt: line)
        #expect(run.wasKilled, "round \(round), kill \(kill): \(run.errors)")
        arguments = ["resume", "journal"]
      }
      let last = try await BuiltProgram.run(
        "flow-shopping", arguments + ["--quiet"], in: folder)

      #expect(last.code == 0, "round \(round): \(last.errors)")
      #expect(try ending(folder) == expected, "round \(round)")
    }
  }
}
