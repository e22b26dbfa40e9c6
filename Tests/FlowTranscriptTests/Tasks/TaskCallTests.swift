import FlowCore
import FlowEngine
import FlowTranscript
import Testing

/// Calls that the tasks of one component make at the same time, with equal inputs among them.
@Suite struct TaskCallTests {
  private let world = ClerkWorld()

  /// Every replay of every recording finds nothing, or that it is inconclusive where a recording says so.
  private func expectReplays(_ work: @escaping Clerk.Work, isTied: Bool = false) async throws {
    for number in 0..<6 {
      let (report, run) = try await world.record(work, isVirtual: number % 2 == 0)
      #expect(report.diagnostics.map(\.message) == [])
      if !isTied { #expect(run.warning == nil) }
      for _ in 0..<6 {
        let found = try await world.replay(run.whole("s.yaml"), work)
        #expect(found.count == (run.warning == nil ? 0 : 3), "\(found)")
        #expect(found.first?.hasPrefix("the replay is inconclusive: ") != false)
      }
    }
  }

  @Test func `tasks that ask the same several times have no order among each other`() async throws {
    try await expectReplays { _, context in
      try await inTasks(4) { _ in
        for text in ["load", "change", "load"] {
          // Another schedule each time.
          for _ in 0..<Int.random(in: 0...5) { await Task.yield() }
          _ = try await Clerk.put(text, in: context)
        }
      }
    }
  }

  @Test func `each task gets the answers that belong together`() async throws {
    let work: Clerk.Work = { _, context in
      let before = try await Clerk.next(in: context)
      try await inTasks(5) { _ in
        let number = try await Clerk.next(in: context)
        _ = try await Clerk.put("number \(number)", in: context)
      }
      let after = try await Clerk.next(in: context)
      if after - before != 6 { throw ComponentError(.unexpected, "\(before) to \(after)") }
    }
    try await expectReplays(work, isTied: true)
  }

  @Test func `tasks that share their work divide it otherwise in each run`() async throws {
    try await expectReplays { _, context in
      let queue = Queue(12)
      try await inTasks(3) { _ in
        while let number = await queue.next() {
          _ = try await Clerk.put("load", in: context)
          _ = try await Clerk.put("change \(number)", in: context)
        }
      }
    }
  }

  @Test(arguments: [1, 3])
  func `an inverted pair in a task is found beside equal tasks`(_ tasks: Int) async throws {
    let (_, run) = try await world.record { _, context in
      try await inTasks(tasks) { _ in
        for text in ["a", "b"] { _ = try await Clerk.put(text, in: context) }
      }
    }

    let found = try await world.replay(run.whole("s.yaml")) { _, context in
      try await inTasks(tasks) { _ in
        for text in ["b", "a"] { _ = try? await Clerk.put(text, in: context) }
      }
    }

    #expect(
      found.first
        == "'first#1/store.put#1' comes after 'first#1/store.put#1', but was recorded before its end"
    )
  }

  @Test func `a call that was cancelled waits for its cancellation`() async throws {
    let work: Clerk.Work = { _, context in
      let waiting = Task { try await Clerk.hang(in: context) }
      _ = try await Clerk.put("something", in: context)
      try await context.sleep(for: .milliseconds(1))
      waiting.cancel()
      _ = await waiting.result
    }
    let (report, run) = try await world.record(work)
    #expect(report.passed)

    #expect(try await world.replay(run.whole("s.yaml"), work) == [])
    let found = try await world.replay(run.whole("s.yaml")) { _, context in
      _ = try await Clerk.put("something", in: context)
      try? await Clerk.hang(in: context)
    }
    #expect(
      found.prefix(2) == [
        "'first#1/store.hang#1' was cancelled in the recording, but not in this run",
        "line 9: it has no answer, but 'first#1' waits for one",
      ])
  }

  @Test func `calls with equal secrets are equal, and others are told apart by their tasks`()
    async throws
  {
    let work: Clerk.Work = { _, context in
      try await inTasks(3) { number in
        _ = try await Clerk.put("task \(number)", in: context)
        let pin = number == 2 ? "hunter2-other" : "hunter2"
        let length = try await Clerk.unlock(pin, in: context)
        _ = try await Clerk.put("task \(number): \(length)", in: context)
      }
    }
    try await expectReplays(work)

    let lines = try await String(decoding: world.record(work).run.bytes, as: UTF8.self)
      .split(separator: "\n").filter { $0.contains("shelf.unlock") }
    #expect(!lines.contains { $0.contains("hunter2") })
    #expect(lines.count { $0.contains("${secret:shelf.pin}") } >= 2)
  }

  @Test func `secrets that tasks begin with by themselves are not told apart`() async throws {
    let work: Clerk.Work = { _, context in
      try await inTasks(2) { number in
        _ = try await Clerk.unlock(number == 0 ? "hunter2-one" : "hunter2-two", in: context)
      }
    }
    let (_, run) = try await world.record(work)

    let found = try await world.replay(run.whole("s.yaml"), work)

    #expect(
      found == [
        "the replay is inconclusive: the hidden value of 'first#1/store.unlock#1' cannot be distinguished from others",
        "line 7: other calls of 'shelf.unlock' differ from it only in hidden values",
        "give the calls labels with 'as:', and record again",
      ])
  }
}

/// Runs work in some tasks at the same time.
func inTasks(
  _ count: Int, _ work: @escaping @Sendable (Int) async throws -> Void
) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for number in 0..<count { group.addTask { try await work(number) } }
    try await group.waitForAll()
  }
}

/// Numbers, each given once.
private actor Queue {
  private var left: Int

  init(_ count: Int) { left = count }

  func next() -> Int? {
    if left == 0 { return nil }
    left -= 1
    return left
  }
}
