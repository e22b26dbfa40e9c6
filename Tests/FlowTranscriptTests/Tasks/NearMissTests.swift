import FlowCore
import FlowTranscript
import TestKit
import Testing

/// Calls of a component that are nearly the recorded ones.
@Suite struct NearMissTests {
  /// The number of calls in a transcript, and of transcripts: 10,000 near misses with all alterations.
  private static let (calls, transcripts) = (Stress.count(4, full: 10), Stress.count(1, full: 125))

  private let world = ClerkWorld()

  private static func order(_ number: Int) -> Order {
    Order(
      title: "order \(number)", count: number,
      price: Decimal(significand: Int128(number), scale: 2),
      rate: Double(number) / 4, isUrgent: number % 2 == 0, due: .seconds(number + 1),
      tags: ["a\(number)", "b"], note: number % 3 == 0 ? nil : "note \(number)")
  }

  /// The alterations of each field, by its path in reports.
  private static let alterations: [(path: String, alter: @Sendable (inout Order) -> Void)] = [
    ("title", { $0.title += " again" }),
    ("count", { $0.count += 1_000 }),
    ("price", { $0.price = Decimal(significand: 100_001, scale: 3) }),
    ("rate", { $0.rate += 0.001 }),
    ("urgent", { $0.isUrgent.toggle() }),
    ("due", { $0.due += .nanoseconds(1) }),
    ("tags[2]", { $0.tags.append("c") }),
    ("note", { $0.note = "another" }),
  ]

  @Test func `none is served, and each failure names the call and the field`() async throws {
    for transcript in 0..<Self.transcripts {
      try await replayNearMisses(of: transcript * Self.calls..<(transcript + 1) * Self.calls)
    }
  }

  /// Records orders, and replays each of them with each field altered.
  private func replayNearMisses(of numbers: Range<Int>) async throws {
    let (_, run) = try await world.record { _, context in
      for number in numbers { try await Clerk.order(Self.order(number), in: context) }
    }
    let transcript = try run.whole("s.yaml")

    for (index, number) in numbers.enumerated() {
      for (path, alter) in Self.alterations {
        var order = Self.order(number)
        alter(&order)
        let found = try await world.replay(transcript) { [order] _, context in
          try await Clerk.order(order, in: context)
        }

        #expect(found.first == "'first#1/store.order#1' is not in the transcript")
        let nearest = found.firstIndex {
          $0 == "the most similar call is on line \(7 + 2 * index), 'first#1/store.order#1'"
        }
        let field = nearest.map { found[$0 + 1] } ?? ""
        #expect(field.hasPrefix("\(path): recorded "), "\(number), \(path): \(found)")
      }
    }
  }
}
