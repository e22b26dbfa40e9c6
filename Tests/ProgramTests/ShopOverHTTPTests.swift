import Foundation
import TestKit
import Testing

/// The shop over HTTP, with the example server: recorded, replayed in parts, interrupted and killed.
@Suite struct ShopOverHTTPTests {
  /// The number of times that `flow` is killed.
  private static let kills = Stress.count(2, full: 100)

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["shop.yaml", "parts"] {
      try FileManager.default.copyItem(
        at: URL(filePath: "\(ProjectFiles.root)/Examples/shop-server/\(name)"),
        to: URL(filePath: folder.path(name)))
    }
    try folder.write(
      try folder.text("shop.yaml")
        .replacing(existing: "../../Scenarios/data", with: ScenarioFolder.path + "/data"),
      to: "shop.yaml")
  }

  private static let spending = """
    flow: 1
    inputs: {base: {type: string}}
    components:
      api: {plugin: http, with: {base: "${{ inputs.base }}"}}
      balance: {plugin: balance, using: {server: api}}
    steps:
      - for: x
        in: ${{ lists.range(20) }}
        do:
          - uses: balance.subtract
            with: {amount: 1.00}
            retry: {attempts: 500, on: [unavailable], backoff: 20ms}
      - {id: left, uses: balance.load, retry: {attempts: 500, on: [unavailable], backoff: 20ms}}
    outputs: {left: "${{ steps.left.balance }}"}

    """

  @Test func `it is recorded, and replays without the server, whoever is live`() async throws {
    let port = try freePort()
    let run = try await BuiltProgram.run(
      "flow",
      [
        "run", "shop.yaml", "--record", "--input",
        "program=\(BuiltProgram.url("shop-server").path)",
        "--input", "port=\(port)",
      ], in: folder)
    #expect(run.code == 0, "\(run.errors)")

    let transcript = "shop.transcript.jsonl"
    for live in ["", "--live=balance", "--live=catalog,images", "--live=balance,catalog,images"] {
      let arguments = ["replay", transcript, "--quiet"] + (live.isEmpty ? [] : [live])
      let replay = try await BuiltProgram.run("flow", arguments, in: folder)
      #expect(replay.code == 0, "\(live): \(replay.errors)")
    }
  }

  @Test func `it survives a restart of the server by its retries`() async throws {
    try folder.write(Self.spending, to: "spend.yaml")
    let server = try ShopServer(in: folder)
    let run = Task { [folder] in
      try await BuiltProgram.run(
        "flow", ["run", "spend.yaml", "--quiet", "--record", "--input", "base=\(server.url)"],
        in: folder)
    }
    var last = server
    for balance in ["95.00", "90.00"] {
      try await last.waits(for: balance)
      last.kill()
      last = try ShopServer(in: folder, port: server.port)
    }

    let result = try await run.value
    #expect(result.code == 0, "\(result.errors)")
    #expect(try await last.balance() == "80.00")
    last.kill()
  }

  @Test func `a refusal for another reason is no lack of money`() async throws {
    let server = try ShopServer(in: folder)
    try folder.write(
      """
      flow: 1
      components:
        api: {plugin: http, with: {base: "\(server.url)"}}
        balance: {plugin: balance, using: {server: api}}
      steps:
        - uses: api.post
          with: {path: faults, json: {path: /balance/subtract, status: 409}}
          expect: {status: 200}
        - {uses: balance.subtract, with: {amount: 1.00}, expect: {error: unavailable}}
        - {uses: balance.subtract, with: {amount: 1000.00}, expect: {error: insufficient}}
        - {uses: balance.subtract, with: {amount: -1}, expect: {error: illegal}}
        - {uses: balance.add, with: {amount: 0.005}, expect: {balance: 100.005}}

      """, to: "refusals.yaml")

    let run = try await BuiltProgram.run("flow", ["run", "refusals.yaml", "--quiet"], in: folder)

    #expect(run.code == 0, "\(run.errors)")
  }

  @Test func `nothing is withdrawn twice when flow is killed and goes on`() async throws {
    for round in 0..<Self.kills {
      let folder = try TemporaryFolder()
      try folder.write(Self.spending, to: "spend.yaml")
      let server = try ShopServer(in: folder)
      var arguments = [
        "run", "spend.yaml", "--journal", "journal", "--input", "base=\(server.url)",
      ]
      for kill in 1...2 {
        let run = try await BuiltProgram.run(
          "flow",
          arguments + ["--quiet"], in: folder, killedAt: kill * 20 + round * 7 % 19)
        #expect(run.wasKilled, "round \(round): \(run.errors)")
        arguments = ["resume", "journal", "--retry-unknown"]
      }
      let last = try await BuiltProgram.run("flow", arguments + ["--quiet"], in: folder)

      #expect(last.code == 0, "round \(round): \(last.errors)")
      #expect(try await server.balance() == "80.00", "round \(round)")
      server.kill()
    }
  }
}
