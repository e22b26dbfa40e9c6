import FlowCore
import FlowEngine
import TestKit
import Testing

/// Virtual time beside a program that goes on by itself in real time.
@Suite struct FollowedTimeTests {
  private let time = VirtualTime()

  @Test func `time passes at the pace of real time, and jumps again afterwards`() async throws {
    let start = ContinuousClock.now
    time.follow()
    try await withTaskExecutorPreference(time) {
      try await time.clock.sleep(for: .milliseconds(60))
    }
    let real = start.duration(to: .now)
    time.unfollow()
    let offset = time.clock.now.offset
    try await withTaskExecutorPreference(time) { try await time.clock.sleep(for: .seconds(86_400)) }

    #expect(real >= .milliseconds(60))
    #expect(offset >= .milliseconds(60))
    #expect(time.clock.now.offset == offset + .seconds(86_400))
  }

  @Test func `time passes during work outside as well`() async throws {
    time.follow()
    time.hold()

    try await withTaskExecutorPreference(time) {
      try await time.clock.sleep(for: .milliseconds(20))
      await time.clock.settle()
    }

    time.release()
    time.unfollow()
    #expect(time.clock.now.offset >= .milliseconds(20))
  }

  @Test func `sleepers wake in the order of their deadlines`() async {
    let log = OutputText()
    time.follow()

    await withTaskExecutorPreference(time) {
      await withTaskGroup(of: Void.self) { group in
        for (name, delay) in [("c", 60), ("a", 20), ("d", 80), ("b", 40)] {
          group.addTask {
            try? await time.clock.sleep(for: .milliseconds(delay))
            log.append("\(name) ")
          }
        }
      }
    }

    time.unfollow()
    #expect(log.text == "a b c d ")
  }

  @Test func `time jumps once the last program has ended`() async throws {
    time.follow()
    time.follow()
    let log = OutputText()

    try await withTaskExecutorPreference(time) {
      async let sleeper: Void = {
        try await time.clock.sleep(for: .seconds(86_400))
        log.append("slept")
      }()
      time.unfollow()
      try await time.clock.sleep(for: .milliseconds(10))
      log.append("one is left, ")
      time.unfollow()
      try await sleeper
    }

    #expect(log.text == "one is left, slept")
  }

  @Test func `a pace ends once, at the latest when it is forgotten`() async throws {
    var options = ContextServices.Options(directory: Directory("."))
    options.time = time
    let context = Context(
      address: Address(path: "a"), services: ContextServices(options) { _, _, _ in })
    let pace = context.followRealTime()
    pace.end()
    pace.end()
    _ = context.followRealTime()

    try await withTaskExecutorPreference(time) { try await time.clock.sleep(for: .seconds(86_400)) }

    #expect(time.clock.now.offset >= .seconds(86_400))
    #expect(time.clock.now.offset < .seconds(86_460))
  }
}
