import FlowCore
import FlowTranscript
import TestKit
import Testing

/// The parts of requests and answers that differ between two runs.
@Suite struct ProposedVaryingTests {
  /// The values that a program and a server draw in a run.
  private struct Draw: Sendable {
    let time: String
    let key: String
    let item: String
    let id: String

    static let may = Draw(time: "9:30", key: "key-81733", item: "item-55", id: "id-3344")
    static let june = Draw(time: "17:20", key: "key-20991", item: "item-7", id: "id-9120")
  }

  /// Orders, pays twice with one key, and asks for what the server has named.
  private static func shopping(_ draw: Draw) -> OutsideWorld.Work {
    { program, step in
      if step == "look" { return "" }
      let order = try await program.send(
        Wire(path: "order", headers: ["sent-at": .string(draw.time)]))
      for _ in 1...2 {
        try await program.send(
          Wire(path: "pay", key: draw.key, items: [.init(name: "x", id: draw.item)]))
      }
      try await program.send(Wire(path: "order/\(order.id ?? "")"))
      return ""
    }
  }

  private static func record(_ world: OutsideWorld, _ draw: Draw) async throws -> Transcript {
    try await world.record(shopping(draw)) { wire in
      Reply(text: "for \(wire.key ?? "none")", id: wire.path == "order" ? draw.id : nil)
    }.transcript
  }

  private static func proposed(
    _ world: OutsideWorld, _ first: Draw, _ second: Draw
  ) async throws -> [String] {
    let plan = try world.plan(shopping(first), OutsideWorld.echo)
    let proposed = ProposedVarying(
      try await record(world, first), try await record(world, second), of: plan)
    return proposed.components.flatMap { component in
      proposed.calls(of: component).map { call in
        "\(component) \(call.name) same \(call.parts.same) any \(call.parts.any) "
          + "answer \(call.parts.answer)"
      }
    }
  }

  @Test func `new values are proposed where they occur first`() async throws {
    let world = OutsideWorld()

    #expect(
      try await Self.proposed(world, .may, .june) == [
        #"port server.exchange same ["key", "items[*].id"] any ["headers.sent-at"] answer ["id"]"#
      ])
    #expect(try await Self.proposed(world, .may, .may) == [])
  }

  @Test func `nothing that is declared is proposed`() async throws {
    let world = OutsideWorld(
      varies: """
        {server.exchange: {same: [key, 'items[*].id'], any: [headers.sent-at], answer: [id]}}
        """)

    #expect(try await Self.proposed(world, .may, .june) == [])
  }
}
