import Synchronization
import Testing

@testable import FlowCommand

/// Work on several items at once.
@Suite struct JobsTests {
  /// Lets each of two pieces of work go on when the other one has begun.
  private final class Meeting: Sendable {
    private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)

    func meet() async {
      await withCheckedContinuation { continuation in
        let other = waiting.withLock { waiting in
          defer { waiting = waiting == nil ? continuation : nil }
          return waiting
        }
        guard let other else { return }
        other.resume()
        continuation.resume()
      }
    }
  }

  @Test func `two items are worked on at once and their results come in order`() async {
    let meeting = Meeting()
    var results: [Int] = []
    await Jobs(limit: 2).run(Array(0..<10)) { _, item in
      await meeting.meet()
      return item
    } receive: {
      results.append($0)
    }

    #expect(results == Array(0..<10))
  }

  @Test func `a result that is ready waits for those before it`() async {
    let second = AsyncStream<Void>.makeStream()
    var results: [Int] = []
    await Jobs(limit: 2).run([0, 1]) { _, item in
      if item == 0 {
        for await _ in second.stream { break }
      } else {
        second.continuation.finish()
      }
      return item
    } receive: {
      results.append($0)
    }

    #expect(results == [0, 1])
  }

  @Test func `nothing begins after a result that ends it`() async {
    var results: [Int] = []
    await Jobs(limit: 1).run(Array(0..<10)) {
      $1
    } goesOn: {
      $0 < 3
    } receive: {
      results.append($0)
    }

    #expect(results == [0, 1, 2, 3])
  }

  @Test func `nothing begins after a cancellation`() async {
    let results = await Task {
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      var results: [Int] = []
      await Jobs(limit: 1).run([0, 1]) {
        $1
      } receive: {
        results.append($0)
      }
      return results
    }.value

    #expect(results == [])
  }
}
