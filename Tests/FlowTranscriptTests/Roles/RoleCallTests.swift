import FlowCore
import FlowEngine
import FlowTranscript
import TestKit
import Testing

/// Calls of one component by another: recorded, found again, and failing.
@Suite struct RoleCallTests {
  private let world = ClerkWorld()

  private static let long = String(repeating: "flow ", count: 2_000)

  @Test func `long inputs are told apart in the files that hold them`() async throws {
    let both: Clerk.Work = { _, context in
      let first = try await Clerk.put(Self.long + "1", in: context)
      let second = try await Clerk.put(Self.long + "22", in: context)
      #expect((first, second) == (10_001, 10_002))
    }
    let (report, run) = try await world.record(both)
    #expect(report.passed)
    #expect(run.bodies.count == 2)

    #expect(try await world.replay(run.whole("s.yaml"), both) == [])
    let other = try await world.replay(run.whole("s.yaml")) { _, context in
      _ = try? await Clerk.put(Self.long + "3", in: context)
    }
    #expect(other.first == "'first#1/store.put#1' is not in the transcript")
  }

  @Test func `a matcher in the input of a component's call accepts what it matches`() async throws {
    let (_, recorded) = try await world.record { _, context in
      _ = try await Clerk.put("order 17", in: context)
    }
    let changed = Array(
      String(decoding: recorded.bytes, as: UTF8.self).unsealed
        .replacing(existing: #""order 17""#, with: #"{"$match":"^order [0-9]+$"}"#).utf8)
    let transcript = try TranscriptReader.read(changed, file: "s.yaml")

    let same = try await world.replay(transcript) { _, context in
      _ = try await Clerk.put("order 234", in: context)
    }
    #expect(same == [])
    let other = try await world.replay(transcript) { _, context in
      _ = try await Clerk.put("order x", in: context)
    }
    #expect(other.first == "'first#1/store.put#1' is not in the transcript")
  }

  @Test func `tasks of an attempt that is made again have addresses of their own`() async throws {
    let work: Clerk.Work = { clerk, context in
      let attempt = await clerk.begin()
      let task = context.spawn("put") { context in
        _ = try await Clerk.put("attempt \(attempt)", in: context)
      }
      try await task.value
      if attempt < 3 { throw ComponentError(Clerk.busy, "again") }
    }
    let (report, run) = try await world.record(work)

    #expect(report.passed)
    let addresses = String(decoding: run.bytes, as: UTF8.self).split(separator: "\n")
      .filter { $0.contains("shelf.put") }.map { String($0.split(separator: "\"")[3]) }
    #expect(addresses == (1...3).map { "first#1/put#\($0)/store.put#1" })
    #expect(try await world.replay(run.whole("s.yaml"), work) == [])
  }

  @Test func `a call that its caller does not wait for fails the run`() async throws {
    let (report, run) = try await world.record { [asked = world.asked] clerk, context in
      await clerk.keep(Task { try await Clerk.wait(in: context) })
      for await _ in asked {}
    }

    #expect(
      report.diagnostics.map(\.message) == [
        "the call at 'first#1' ended before 'store.wait', a call that it had made"
      ])
    #expect(throws: Never.self) { try run.whole("s.yaml") }
  }

  @Test func `an answer that the caller's type refuses is an error of the call`() async throws {
    let (report, _) = try await world.record { _, context in
      _ = try await Clerk.even("odd", in: context)
    }

    let texts = report.diagnostics.flatMap { [$0.message] + $0.notes }
    #expect(
      texts.contains("the answer of 'store.count' cannot be read: 'length': expected int, got 3"))
  }
}
