import FlowCore
import Synchronization
import Testing

struct SpawnedTasksTests {
  private let tasks = SpawnedTasks()
  private let lines = Lines()

  private var context: Context {
    var options = ContextServices.Options(directory: Directory("."))
    options.tasks = tasks
    let services = ContextServices(options) { _, _, _ in }
    return Context(address: Address(path: "step"), services: services)
  }

  /// Returns when the task is cancelled, and never before.
  @Sendable private static func untilCancelled() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in stream {}
    continuation.finish()
  }

  @Test
  func `spawned work gives its result`() async throws {
    #expect(try await context.spawn("count") { _ in 1 + 1 }.value == 2)
  }

  @Test
  func `an error of spawned work that nobody awaits is logged, a cancellation is not`() async {
    let lines = Mutex<[String]>([])
    var options = ContextServices.Options(directory: Directory("."))
    options.log = { address, line in lines.withLock { $0.append("\(address): \(line)") } }
    let services = ContextServices(options) { _, _, _ in }
    let context = Context(address: Address(path: "step"), services: services)

    _ = await context.spawn("refuse") { _ in throw ComponentError(.refused, "not today") }.result
    _ = await context.spawn("end") { _ in throw CancellationError() }.result

    let line = "step#1/refuse#1: the task ended with an error: refused: not today"
    #expect(lines.withLock { $0 } == [line])
  }

  @Test
  func `spawned work gives its error`() async {
    let task = context.spawn("refuse") { _ in throw ComponentError(.refused, "not today") }

    let error = await #expect(throws: ComponentError.self) { try await task.value }

    #expect(error?.description == "refused: not today")
  }

  @Test
  func `closing cancels the work and waits for its end`() async {
    let lines = lines
    for number in 1...3 {
      _ = context.spawn("wait") { _ in
        await Self.untilCancelled()
        lines.add("\(number) ended, cancelled: \(Task.isCancelled)")
      }
    }

    await tasks.close()

    #expect(lines.all.sorted() == (1...3).map { "\($0) ended, cancelled: true" })
  }

  @Test
  func `work that is spawned while closing is cancelled and waited for`() async {
    let (lines, context) = (lines, context)
    _ = context.spawn("outer") { context in
      await Self.untilCancelled()
      _ = context.spawn("inner") { context in
        await Self.untilCancelled()
        _ = context.spawn("innermost") { _ in
          await Self.untilCancelled()
          lines.add("ended")
        }
      }
    }

    await tasks.close()

    #expect(lines.all == ["ended"])
  }

  @Test
  func `work that is spawned after closing is cancelled at once`() async {
    await tasks.close()

    let task = context.spawn("late") { _ in }

    #expect(task.isCancelled)
  }

  @Test
  func `closing waits for nothing when nothing runs`() async throws {
    try await context.spawn("short") { _ in }.value

    await tasks.close()
    await tasks.close()
  }
}
