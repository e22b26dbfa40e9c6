import FlowCore
import FlowEngine
import FlowTranscript
import Testing

/// Equal calls of a component in several tasks, with different answers.
@Suite struct TiedCallTests {
  private let world = ClerkWorld()

  /// Two calls at the same time.
  private static func both(
    _ labels: (String?, String?), _ context: Context
  ) async throws -> (Int, Int) {
    async let left = Clerk.meet(as: labels.0, in: context)
    async let right = Clerk.meet(as: labels.1, in: context)
    return try await (left, right)
  }

  private static func lines(_ run: Recording, _ name: String) -> [String] {
    String(decoding: run.bytes, as: UTF8.self).split(separator: "\n")
      .filter { $0.contains("/store.\(name)") }.map(String.init)
  }

  @Test func `nothing tells them apart at the same time, so a replay is inconclusive`() async throws
  {
    let work: Clerk.Work = { _, context in _ = try await Self.both((nil, nil), context) }
    let (_, run) = try await world.record(work)

    #expect(
      Self.lines(run, "meet") == [
        #"{"at":"first#1/store.meet#1","invoke":"shelf.meet","input":{},"lane":1,"tied":true}"#,
        #"{"at":"first#1/store.meet#1","ok":{"number":1}}"#,
        #"{"at":"first#1/store.meet#2","invoke":"shelf.meet","input":{},"lane":2,"tied":true}"#,
        #"{"at":"first#1/store.meet#2","ok":{"number":2}}"#,
      ])
    #expect(
      run.warning == """
        'first#1/store.meet#1' and an equal call at the same time had different answers: a replay with their \
        caller live is inconclusive until the calls have labels
        """)
    #expect(
      try await world.replay(run.whole("s.yaml"), work) == [
        "the replay is inconclusive: 'first#1/store.meet#1' cannot be distinguished from an equal call",
        "line 7: both called 'shelf.meet' at the same time and had different answers",
        "give the calls labels with 'as:', and record again",
      ])
  }

  @Test func `labels tell them apart`() async throws {
    let work: Clerk.Work = { _, context in
      let (left, right) = try await Self.both(("left", "right"), context)
      _ = try await Clerk.put("\(left) and \(right)", in: context)
    }
    let (_, run) = try await world.record(work)

    #expect(run.warning == nil)
    #expect(
      Self.lines(run, "meet").map { String($0.split(separator: "\"")[3]) } == [
        "first#1/store.meet.left#1", "first#1/store.meet.left#1", "first#1/store.meet.right#1",
        "first#1/store.meet.right#1",
      ])
    #expect(try await world.replay(run.whole("s.yaml"), work) == [])
  }

  @Test func `those with one answer need no labels`() async throws {
    let work: Clerk.Work = { _, context in
      async let left = Clerk.put("same", in: context)
      async let right = Clerk.put("same", in: context)
      _ = try await (left, right)
    }
    let (_, run) = try await world.record(work)

    #expect(run.warning == nil)
    #expect(try await world.replay(run.whole("s.yaml"), work) == [])
  }

  @Test func `tasks that poll one after the other have the answers in their order`() async throws {
    let work: Clerk.Work = { _, context in
      async let first = Clerk.poll(in: context)
      let state = try await first
      // More is asked after the first answer: what is asked must not decide which one was first.
      async let put = Clerk.put(state, in: context)
      _ = try await put
      async let second = Clerk.poll(in: context)
      guard try await (state, second) == ("pending", "done") else {
        throw ComponentError(.unexpected, "the answers were exchanged")
      }
    }
    let (report, run) = try await world.record(work)

    #expect(report.passed)
    #expect(run.warning == nil)
    #expect(try await world.replay(run.whole("s.yaml"), work) == [])
  }

  @Test(arguments: ["", "a b", "a.b", String(repeating: "a", count: 65)])
  func `a label consists of letters, digits, - and _`(_ label: String) async throws {
    let (report, _) = try await world.record { _, context in
      _ = try await Clerk.put("x", as: label, in: context)
    }

    let texts = report.diagnostics.flatMap { [$0.message] + $0.notes }
    #expect(texts.contains("'\(label)' is not a label of a call"))
  }
}
