import FlowCore
import TestKit
import Testing

@testable import FlowEngine

/// Time that passes only when nothing is left to do, as real waits would take weeks.
@Suite struct VirtualTimeTests {
  @Test func `sleepers wake in the order of their deadlines at exactly their time`() async {
    let time = VirtualTime()
    let log = OutputText()

    await withTaskExecutorPreference(time) {
      await withTaskGroup(of: Void.self) { group in
        for (name, delay) in [("c", 3), ("a", 1), ("b", 2), ("d", 3)] {
          group.addTask {
            try? await time.clock.sleep(for: .seconds(delay * 86_400))
            log.append("\(name) \(time.clock.now.offset.flowText), ")
          }
        }
      }
    }

    #expect(log.text == "a 86400s, b 172800s, c 259200s, d 259200s, ")
  }

  @Test func `work that is ready goes before time`() async {
    let time = VirtualTime()

    let offset = await withTaskExecutorPreference(time) {
      async let sleeper: Void? = try? time.clock.sleep(for: .seconds(1))
      for _ in 0..<1000 { await Task(executorPreference: time) {}.value }
      let offset = time.clock.now.offset
      _ = await sleeper
      return offset
    }

    #expect(offset == .zero)
    #expect(time.clock.now.offset == .seconds(1))
  }

  @Test func `who settles goes on when the others have done what needs no time`() async {
    let time = VirtualTime()
    let log = OutputText()

    await withTaskExecutorPreference(time) {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          await time.clock.settle()
          log.append("settled at \(time.clock.now.offset.flowText)")
        }
        group.addTask {
          for _ in 0..<100 { await Task(executorPreference: time) {}.value }
          log.append("worked, ")
          try? await time.clock.sleep(for: .seconds(1))
          log.append(", slept")
        }
      }
    }

    #expect(log.text == "worked, settled at 0s, slept")
  }

  @Test func `who waits for nothing else is last, and no time passes by that`() async throws {
    let time = VirtualTime()
    let log = OutputText()

    await withTaskExecutorPreference(time) {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          try? await time.clock.untilIdle()
          log.append(", nothing else at \(time.clock.now.offset.flowText)")
        }
        group.addTask {
          try? await time.clock.sleep(for: .seconds(315_360_000))
          log.append("ten years")
        }
      }
    }

    #expect(log.text == "ten years, nothing else at 315360000s")
  }

  @Test(.timeLimit(.minutes(30))) func `who sleeps outside of the executor wakes up as well`() async
  {
    let time = VirtualTime()

    await withTaskExecutorPreference(time) {
      await Task.detached { try? await time.clock.sleep(for: .seconds(30)) }.value
    }

    #expect(time.clock.now.offset == .seconds(30))
  }

  @Test(.timeLimit(.minutes(30)))
  func `who slept outside of the executor, and does no more, keeps nobody asleep`() async throws {
    let time = VirtualTime()
    let (asleep, falling) = AsyncStream<Void>.makeStream()
    time.clock.whenAsleep { falling.yield() }
    let outside = Task.detached { try await time.clock.sleep(for: .seconds(1)) }
    for await _ in asleep.prefix(1) {}

    try await withTaskExecutorPreference(time) { try await time.clock.sleep(for: .seconds(2)) }

    try await outside.value
    #expect(time.clock.now.offset == .seconds(2))
  }

  @Test func `a cancelled sleeper wakes at once and time does not pass`() async {
    let time = VirtualTime()

    let result = await withTaskExecutorPreference(time) {
      let task = Task(executorPreference: time) { try await time.clock.sleep(for: .seconds(60)) }
      task.cancel()
      return await task.result
    }

    #expect(throws: CancellationError.self) { try result.get() }
    #expect(time.clock.now.offset == .zero)
  }

  @Test func `a deadline that has passed does not suspend`() async throws {
    let clock = VirtualClock()

    try await clock.sleep(until: clock.now, tolerance: nil)

    #expect(clock.now.offset == .zero)
  }

  @Test func `a scenario of weeks ends with the time that it would have taken`() async throws {
    let run = try await VirtualRun(
      """
      flow: 1
      components: {p: {plugin: probe}}
      steps:
        - wait: 30d
        - repeat: {until: "${{ loop.index == 2 }}", limit: 3}
          do: [{wait: 1h}, {uses: p.count}]
        - {timeout: 1h, continue-on-error: true, wait: 2h}
      """)

    #expect(run.result.passed)
    #expect(run.elapsed["wait#1"] == "2592000s")
    #expect(run.elapsed["repeat#1"] == "10800s")
    #expect(run.elapsed["wait[2]#1"] == "3600s")
    #expect(run.result.elapsed == .seconds(2_592_000 + 10_800 + 3_600))
  }
}
