import FlowCore
import FlowTranscript
import TestKit
import Testing

/// The parts of requests and answers that differ between two runs.
@Suite struct ProposedVaryingTests {
  /// Orders, pays twice with one key, and asks for what the server has named.
  private static func shopping(_ draw: String) -> OutsideWorld.Work {
    { program, step in
      if step == "look" { return "" }
      let order = try await program.send(
        Wire(path: "order", headers: ["sent-at": .string("\(draw) o'clock")]))
      for _ in 1...2 {
        try await program.send(
          Wire(path: "pay", key: "key-\(draw)", items: [.init(name: "x", id: "item-\(draw)")]))
      }
      try await program.send(Wire(path: "order/\(order.id ?? "")"))
      return ""
    }
  }

  private static func record(_ world: OutsideWorld, _ draw: String) async throws -> Transcript {
    try await world.record(shopping(draw)) { wire in
      Reply(text: "for \(wire.key ?? "none")", id: wire.path == "order" ? "id-of-\(draw)" : nil)
    }.transcript
  }

  private static func proposed(
    _ world: OutsideWorld, _ first: String, _ second: String
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
      try await Self.proposed(world, "may-2026", "june-2027") == [
        #"port server.exchange same ["key", "items[*].id"] any ["headers.sent-at"] answer ["id"]"#
      ])
    #expect(try await Self.proposed(world, "may-2026", "may-2026") == [])
  }

  @Test func `nothing that is declared is proposed`() async throws {
    let world = OutsideWorld(
      varies: """
        {server.exchange: {same: [key, 'items[*].id'], any: [headers.sent-at], answer: [id]}}
        """)

    #expect(try await Self.proposed(world, "may-2026", "june-2027") == [])
  }
}
