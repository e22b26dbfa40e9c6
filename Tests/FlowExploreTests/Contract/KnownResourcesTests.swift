import FlowCore
import FlowOpenAPI
import TestKit
import Testing

@testable import FlowExplore

/// The calls in front of another one, which make what its path and its body name.
@Suite struct KnownResourcesTests {
  private static func id(_ number: Int) -> ServiceAnswer {
    DescribedItems.answer(201, .map(ValueMap([("id", .int(number))])))
  }

  /// A service with a customer, and with an order if wanted.
  private static func known(hasOrder: Bool = true) throws -> KnownResources {
    let calls = try DescribedItems.calls()
    var known = KnownResources()
    known.note([try #require(calls["POST /customers"])], id(7))
    guard hasOrder else { return known }
    let order = try #require(calls["POST /customers/{customer}/orders"])
    let way = known.way(to: order.operation, body: order.body)
    known.note(way.calls + [order.with(way)], id(9))
    return known
  }

  @Test func `outer resources are made first, and passed on`() throws {
    let call = try #require(
      try DescribedItems.calls()["GET /customers/{customer}/orders/{order_id}"])

    let way = try Self.known().way(to: call.operation, body: call.body)

    #expect(way.calls.map(\.name) == ["POST /customers", "POST /customers/{customer}/orders"])
    let id = AnswerLink.Place.json([.field("id")])
    #expect(way.arguments["customer"]?.link == AnswerLink(call: 0, place: id))
    #expect(way.arguments["order_id"]?.link == AnswerLink(call: 1, place: id))
    #expect(way.calls[1].arguments.map(\.link) == [AnswerLink(call: 0, place: id)])
  }

  @Test func `a member that names a resource takes its id`() throws {
    let call = try #require(try DescribedItems.calls()["POST /invoices"])

    let way = try Self.known(hasOrder: false).way(to: call.operation, body: call.body)

    #expect(way.calls.map(\.name) == ["POST /customers"])
    #expect(way.bodyLinks.map(\.tokens) == [["customerId"]])
    #expect(
      way.bodyLinks.map(\.link) == [AnswerLink(call: 0, place: .json([.field("id")]))])
  }

  @Test func `nothing is made for what is not known`() throws {
    let call = try #require(
      try DescribedItems.calls()["GET /customers/{customer}/orders/{order_id}"])

    let way = KnownResources().way(to: call.operation, body: call.body)

    #expect(way.calls.isEmpty)
    #expect(way.arguments.isEmpty)
  }
}

extension DrawnCall {
  /// The call with the arguments of a way.
  fileprivate func with(_ way: KnownResources.Way) -> DrawnCall {
    var call = self
    for index in call.arguments.indices {
      if let own = way.arguments[call.arguments[index].parameter.name] {
        call.arguments[index] = own
      }
    }
    return call
  }
}
