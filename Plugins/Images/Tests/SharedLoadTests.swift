import Synchronization
import Testing

@testable import ImagesPlugin

/// Tasks run when the test says so: whether a caller waits already is decided here.
@Suite(.timeLimit(.minutes(30))) struct SharedLoadTests {
  @Test func `a waiting caller that is cancelled leaves before the load ends`() async throws {
    let executor = ManualExecutor()
    let load = SharedLoad()
    let cancelled = Task(executorPreference: executor) { try await load.picture() }
    let patient = Task(executorPreference: executor) { try await load.picture() }
    executor.runAll()

    cancelled.cancel()
    executor.runAll()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    load.finish(.success(try picture(7)))
    executor.runAll()

    #expect(try await patient.value == (try picture(7)))
  }

  @Test func `a caller that was cancelled before it came waits for nothing`() async throws {
    let executor = ManualExecutor()
    let load = SharedLoad()
    let cancelled = Task(executorPreference: executor) { try await load.picture() }

    cancelled.cancel()
    executor.runAll()

    await #expect(throws: CancellationError.self) { try await cancelled.value }
    load.finish(.success(try picture(7)))
  }

  @Test func `callers go on in the order in which they came`() async throws {
    let executor = ManualExecutor()
    let load = SharedLoad()
    let log = CallerLog()
    let callers = (0..<20).map { number in
      Task(executorPreference: executor) {
        await #expect(throws: missing) { try await load.picture() }
        log.add(number)
      }
    }
    executor.runAll()

    load.finish(.failure(missing))
    executor.runAll()
    for caller in callers { await caller.value }

    #expect(log.numbers == Array(0..<20))
  }

  @Test func `a caller that comes after the end does not wait`() async throws {
    let load = SharedLoad()

    load.finish(.success(try picture(7)))

    #expect(try await load.picture() == (try picture(7)))
    #expect(try await SharedLoad(loaded: try picture(8)).picture() == (try picture(8)))
  }
}

private final class CallerLog: Sendable {
  private let entries = Mutex<[Int]>([])

  var numbers: [Int] { entries.withLock { $0 } }

  func add(_ number: Int) { entries.withLock { $0.append(number) } }
}

/// Keeps the jobs of tasks until the test runs them, on its own thread and in their order.
private final class ManualExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs jobs until none is left, those that come meanwhile as well.
  func runAll() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
