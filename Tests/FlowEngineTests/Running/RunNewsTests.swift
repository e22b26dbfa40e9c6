import FlowCore
import FlowEngine
import FlowPlan
import FlowRedaction
import Synchronization
import TestKit
import Testing

/// The news of a run for a person who watches it.
@Suite struct RunNewsTests {
  private static func news(_ text: String, inputs: [Value] = []) async throws -> [String] {
    let plan = try ProbeRun.plan("flow: 1\ncomponents: {p: {plugin: probe}}\n" + text)
    let news = NewsList()
    var options = Session.Options(in: Directory("."), virtualTime: VirtualTime())
    options.watch = { news.add($0) }
    _ = await Session(of: plan, options: options).run(inputs: inputs)
    return news.lines
  }

  @Test func `attempts, iterations and the variables of loops are news`() async throws {
    let news = try await Self.news(
      """
      steps:
        - {uses: p.flaky, id: f, with: {failures: 1, code: refused}, retry: {attempts: 3}}
        - id: l
          repeat: {until: "${{ steps.c.value == 2 }}", limit: 5}
          do: [{id: c, uses: p.count}]
        - id: b
          retry: {attempts: 2}
          do: [{id: e, uses: p.count, expect: {value: 4}}]
        - {for: i, in: [7], do: [{wait: 0s}]}
      """)

    #expect(
      news == [
        "f#1: attempt 2 of 3: attempt 1 failed",
        "l#1: iteration 2 of 5: steps.c.value is 1",
        "b#1: attempt 2 of 2: value: expected 4, got 3",
        "for#1: i is 7", "for#1 is left",
      ])
  }

  @Test func `a condition with a value made of a secret hides it`() async throws {
    let news = try await Self.news(
      """
      inputs: {pin: {type: string, secret: true}}
      steps:
        - set: {n: "${{ size(inputs.pin) }}"}
        - {repeat: {until: "${{ n > 99 }}", limit: 3}, do: [{set: {n: "${{ n + 45 }}"}}]}
      """, inputs: [.string("s3cr3t-word")])

    #expect(news == ["repeat#1: iteration 2 of 3: n is ${secret:pin}"])
  }
}

/// Keeps news as lines.
private final class NewsList: Sendable {
  private let list = Mutex<[String]>([])

  var lines: [String] { list.withLock { $0 } }

  func add(_ news: RunNews) { list.withLock { $0.append(Self.line(of: news)) } }

  private static func line(of news: RunNews) -> String {
    switch news {
    case .line(let address, let line): "\(address) | \(line)"
    case .attempt(let address, let number, let limit, let reason):
      "\(address): attempt \(number) of \(limit): \(reason ?? "")"
    case .iteration(let address, let number, let limit, let operands):
      "\(address): iteration \(number) of \(limit ?? 0): "
        + operands.map { "\($0.text) is \($0.value)" }.joined(separator: ", ")
    case .entered(let address, let name, let value): "\(address): \(name) is \(value)"
    case .left(let address): "\(address) is left"
    }
  }
}
