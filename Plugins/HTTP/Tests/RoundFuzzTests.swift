import FlowCommand
import FlowCore
import Synchronization
import TestKit
import Testing

@testable import HTTPPlugin

/// Whole rounds over invented servers: record, change the server, test, update, test.
///
/// No test is green where an answer differs that counts, none is red right after an update, and no
/// answer is in a file that the server did not give.
@Suite struct RoundFuzzTests {
  /// A server whose ids are new in each run, and whose other values are those of its seed.
  private final class Shop: Sendable {
    struct State {
      /// The number of the run, of which each id is made.
      var run = 0
      /// The version of the server, of which each sum is made.
      var version = 0
      /// The kind of path whose first answer a stale cache repeats.
      var stale = ""
      /// The first answers, by the kinds of their paths.
      var first: [String: String] = [:]
      /// All answers.
      var given: Set<String> = []
    }

    let seed: Int
    let state = Mutex(State())

    init(seed: Int) { self.seed = seed }

    /// The id of the order in the present run.
    func id(of run: Int) -> String {
      switch seed % 4 {
      case 0: "\(7_000_000 + seed * 31 + run * 977)"
      case 1: "ord-\(10_000_000 + seed * 7 + run * 7_919)"
      case 2: "\(String(seed * 2_654_435 + run * 40_503 + 1_000_000, radix: 36))-\(run + 10)"
      default: "\(String((seed + 1) * 65_599 + run * 9_301, radix: 16))\(run)aaaabbbbcccc"
      }
    }

    func answer(to request: TestServer.Request) -> String {
      state.withLock { state in
        let body = self.body(request, &state)
        state.given.insert(body)
        return TestServer.answer(
          "200 OK", ["Content-Type: application/json", "X-Run: \(state.run)"], body)
      }
    }

    private func body(_ request: TestServer.Request, _ state: inout State) -> String {
      let (id, sum) = (id(of: state.run), seed % 90 + 10 + state.version)
      if request.method == "POST" { return #"{"id":"\#(id)","state":"new"}"# }
      let kind = String(request.path.split(separator: "/").first ?? "")
      let body =
        switch kind {
        case "orders": #"{"id":"\#(id)","sum":\#(sum),"self":"/orders/\#(id)"}"#
        case "latest": #"{"latest":"\#(id)","count":\#(sum)}"#
        default: #"{"page":"\#(seed)","sum":12.50,"tags":["a","b"]}"#
        }
      let first = state.first[kind] ?? body
      state.first[kind] = first
      return state.stale == kind ? first : body
    }
  }

  private struct Round {
    let folder: TemporaryFolder
    let shop: Shop

    /// Runs a command, which meets the server in another run.
    func flow(_ arguments: String...) async throws -> FlowCommandRun {
      shop.state.withLock { $0.run += 1 }
      return try await FlowCommandRun(arguments, in: folder, components: [HTTP.self])
    }

    func compare() async throws -> FlowCommandRun {
      try await flow("test", "@/", "--live", "--update", "never")
    }

    /// Checks that each answer of the transcript was given, and that all are of one run.
    func check(_ comment: Comment) throws {
      let given = shop.state.withLock(\.given)
      let text = try folder.text("s.transcript.jsonl")
      let bodies = text.matches(of: /"text":"((?:[^"\\]|\\.)*)"/).map {
        String($0.1).replacing(#"\""#, with: "\"")
      }
      #expect(bodies.count == 4 && bodies.allSatisfy(given.contains), comment)
      let ids = Set(
        text.matches(of: /(?:"id":|"latest":|"example":)"([0-9a-z-]+)"|orders\/([0-9a-z-]+)/).map {
          String($0.1 ?? $0.2 ?? "")
        })
      #expect(ids.count == 1, "\(comment): \(ids.sorted())")
    }
  }

  private static func scenario(_ seed: Int, url: String) -> String {
    let steps = [
      #"{id: o, uses: api.get, with: {path: "orders/${{ steps.n.json.id }}"}}"#,
      #"{id: l, uses: api.get, with: {path: "latest/${{ steps.n.json.id }}"}}"#,
      "{id: p, uses: api.get, with: {path: page}}",
    ]
    let isMixed = seed / 2 % 2 == 0
    return """
      flow: 1
      components: {api: {plugin: http, with: {base: "\(url)", timeout: 60m}}}
      steps:
        - {id: n, uses: api.post, with: {path: orders}, volatile: [json.id]}
        - \(steps[isMixed ? 2 : 0])
        - \(steps[1])
        - \(steps[isMixed ? 0 : 2])
      outputs: {id: "${{ steps.n.json.id }}", latest: "${{ steps.l.json.latest }}"}

      """
  }

  @Test func `no round is green for a fault, red after an update, or holds what was never given`()
    async throws
  {
    for seed in 0..<Stress.count(12, full: 10_000) { try await play(seed) }
  }

  private func play(_ seed: Int) async throws {
    let shop = Shop(seed: seed)
    let server = try TestServer(answering: { shop.answer(to: $0) })
    defer { server.close() }
    let round = Round(folder: try TemporaryFolder(), shop: shop)
    try round.folder.write("flow: 1\n", to: "flow.yaml")
    try round.folder.write(Self.scenario(seed, url: server.url), to: "s.yaml")
    #expect(try await round.flow("run", "@/s.yaml", "--record").code == .passed)
    try round.check("recorded \(seed)")

    let same = try await round.compare()
    #expect(same.code == .passed, "false alarm of \(seed): \(same.errors)")

    shop.state.withLock { $0.stale = ["orders", "latest"][seed / 4 % 2] }
    #expect(try await round.compare().code == .failed, "the stale answer of \(seed)")

    shop.state.withLock { ($0.stale, $0.version) = ("", 1) }
    #expect(try await round.compare().code == .failed, "the other sum of \(seed)")

    let update =
      seed / 8 % 2 == 0
      ? ["run", "@/s.yaml", "--record"] : ["test", "@/", "--live", "--update", "all"]
    for _ in 1...2 {
      shop.state.withLock { $0.run += 1 }
      let updated = try await FlowCommandRun(update, in: round.folder, components: [HTTP.self])
      #expect(updated.code == .passed, "\(updated.errors)")
      try round.check("updated \(seed)")
      let after = try await round.compare()
      #expect(after.code == .passed, "red after an update of \(seed): \(after.errors)")
      let replayed = try await round.flow("test", "@/", "--update", "never")
      #expect(replayed.code == .passed, "\(replayed.errors)")
    }
  }
}
