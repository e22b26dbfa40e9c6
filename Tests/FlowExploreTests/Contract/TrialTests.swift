import FlowCore
import TestKit
import Testing

@testable import FlowExplore

/// Calls one after the other, and what they are to show.
@Suite struct TrialTests {
  /// A customer is made, listed twice for nothing, and an order of it is made, read, deleted and read.
  private static func trial() throws -> Trial {
    let calls = try DescribedItems.calls()
    func call(_ name: String, of maker: Int?) throws -> DrawnCall {
      var call = try #require(calls[name])
      guard let maker else { return call }
      for index in call.arguments.indices {
        call.arguments[index].link = AnswerLink(call: maker, place: .json([.field("id")]))
      }
      return call
    }
    let order = "/customers/{customer}/orders/{order_id}"
    var trial = Trial([
      try call("POST /invoices", of: nil), try call("POST /customers", of: nil),
      try call("GET " + order, of: 1), try call("DELETE " + order, of: 1),
      try call("GET " + order, of: 1),
    ])
    trial.deletion = Trial.Deletion(before: 2, delete: 3, read: 4)
    return trial
  }

  @Test func `a call that nothing needs can go, and the others move up`() throws {
    let trial = try Self.trial()

    let smaller = try #require(trial.without(0))

    #expect(smaller.calls.count == 4)
    #expect(smaller.calls[1].links.map(\.call) == [0, 0])
    #expect(smaller.deletion?.before == 1)
    #expect(smaller.deletion?.delete == 2)
    #expect(smaller.deletion?.read == 3)
  }

  @Test(arguments: [1, 2, 3, 4])
  func `a call with a link, a claim, or at the end stays`(_ call: Int) throws {
    #expect(try Self.trial().without(call) == nil)
  }

  @Test func `without its claim a read can go`() throws {
    let trial = try Self.trial().focused(on: .serverError)

    #expect(trial.deletion == nil)
    #expect(trial.without(2)?.calls.map(\.method) == ["POST", "POST", "DELETE", "GET"])
  }

  @Test func `a cut trial keeps the claims of what is left`() throws {
    let trial = try Self.trial()

    #expect(trial.prefix(through: 3).deletion == nil)
    #expect(trial.prefix(through: 4).deletion != nil)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let statuses: [Int]
    let rules: [String]

    var testDescription: String { "\(statuses)" }
  }

  static let cases = [
    Case(statuses: [201, 201, 200, 204, 404], rules: ["4 contract"]),
    Case(statuses: [201, 201, 200, 204, 200], rules: ["4 deleted"]),
    // A delete that is only accepted may take its time.
    Case(statuses: [201, 201, 200, 202, 200], rules: ["3 contract"]),
    Case(statuses: [201, 201, 404, 204, 200], rules: ["2 contract"]),
    Case(statuses: [201, 503], rules: ["1 server-error"]),
    Case(statuses: [201, 501], rules: ["1 contract"]),
    Case(statuses: [201, 429], rules: []),
  ]

  @Test(arguments: cases)
  func `answers are judged one by one and together`(_ example: Case) throws {
    let trial = try Self.trial()
    let answers = example.statuses.map { DescribedItems.answer($0, .map(ValueMap())) }

    let violations = trial.violations(answers)

    #expect(violations.map { "\($0.call) \($0.rule.rawValue)" } == example.rules)
  }

  @Test func `a resource that a refused write has changed is found`() throws {
    let calls = try DescribedItems.calls()
    let read = try #require(calls["GET /customers/{customer}/orders/{order_id}"])
    let write = try #require(calls["DELETE /customers/{customer}/orders/{order_id}"])
    var trial = Trial([read, write, read])
    trial.reads = Trial.Reads(before: 0, write: 1, after: 2)
    let item = { (count: Int) in
      DescribedItems.answer(200, .map(ValueMap([("count", .int(count))])))
    }
    let refusal = DescribedItems.answer(429, .null)

    let same = trial.violations([item(1), refusal, item(1)])
    let changed = trial.violations([item(1), refusal, item(2)])

    #expect(same.map(\.reason) == [])
    #expect(
      changed.map(\.reason) == [
        "'DELETE /customers/{customer}/orders/{order_id}' is refused with 429, and 'GET /customers/{customer}/orders/{order_id}' has changed"
      ])
  }
}
