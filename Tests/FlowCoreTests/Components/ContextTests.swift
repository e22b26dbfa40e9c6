import FlowCore
import Synchronization
import TestKit
import Testing

struct ContextTests {
  private let lines = Lines()

  private func options() -> ContextServices.Options {
    ContextServices.Options(directory: Directory("."))
  }

  private func context(
    _ address: String = "step", _ options: ContextServices.Options? = nil
  ) -> Context {
    let lines = lines
    let services = ContextServices(options ?? self.options()) { address, event, payload in
      lines.add("\(address) \(event) \(payload)")
    }
    return Context(address: Address(path: address), services: services)
  }

  @Test
  func `an idempotency key names run and call`() {
    var options = options()
    options.run = "run-7"
    let services = ContextServices(options) { _, _, _ in }
    let address = Address(path: "pay", iterations: [2, 3])

    #expect(Context(address: address, services: services).idempotencyKey == "run-7/pay#2.3")
  }

  @Test
  func `random numbers depend on seed and address alone`() {
    var options = options()
    options.seed = 7
    var random = context("pay", options).random
    var same = context("pay", options).random
    var generator = SeededGenerator(seed: 7, label: "pay#1")
    let number = random.next()

    #expect(number == same.next())
    #expect(number == generator.next())
  }

  @Test
  func `other addresses have other random numbers`() {
    var first = context("pay").random
    var second = context("browse").random

    #expect(first.next() != second.next())
  }

  @Test
  func `an emitted event reaches the services with its address and fields`() {
    let moved = EventKind("moved", "A point moved.", Point.record)

    context("drag").emit(moved, Point(x: 1, y: 2))

    #expect(lines.all == ["drag#1 moved {x: 1, y: 2}"])
  }

  @Test
  func `a kind of event describes itself`() {
    let description = EventKind("moved", "A point moved.", Point.record).description

    #expect(description.name == "moved")
    #expect(description.summary == "A point moved.")
    #expect(description.payload === Point.record.type)
  }

  @Test
  func `a log line reaches the log with its address`() {
    var options = options()
    let lines = lines
    options.log = { lines.add("\($0): \($1)") }

    context("drag", options).log("dragging")

    #expect(lines.all == ["drag#1: dragging"])
  }

  @Test
  func `the date is that of the run`() {
    var options = options()
    options.date = { .epoch }

    #expect(context("step", options).date == .epoch)
  }

  @Test
  func `sleeping and measuring use the clock of the run`() async throws {
    let clock = RecordingClock()
    var options = options()
    options.clock = clock
    let context = context("step", options)

    try await context.sleep(for: .seconds(5))
    try await context.clock.sleep(for: .seconds(2))

    #expect(clock.sleeps == [.seconds(5), .seconds(7)])
  }

  @Test
  func `the directory is that of the scenario`() throws {
    let folder = try TemporaryFolder()
    try folder.write("content", to: "a.txt")
    let options = ContextServices.Options(directory: folder.directory)

    let bytes = try context("step", options).directory.read("a.txt")

    #expect(String(decoding: bytes, as: UTF8.self) == "content")
  }

  @Test
  func `a document is read by the reader that is installed`() throws {
    var options = options()
    options.document = { _, path in
      Document(path: path, value: .list([.int(1), .string("2")])) { path in
        path.isEmpty ? nil : Position(line: 3, column: 5)
      }
    }
    let document = try context("step", options).document("a.yaml")

    #expect(document.value == .list([.int(1), .string("2")]))
    #expect(
      text { try document.decode([Int].self) } == "a.yaml:3:5: '[1]': expected int, got \"2\"")
    #expect(text { try document.decode(Int.self) } == "a.yaml: expected int, got [1, \"2\"]")
  }

  @Test
  func `without a reader there is no document`() {
    #expect(
      text { try context().document("a.yaml") }
        == "cannot read 'a.yaml': no document reader is installed")
  }

  @Test(arguments: [
    Row("of one name", ErrorCode("late", "Another sentence."), true),
    Row("of another name", ErrorCode("early", "It came too late."), false),
  ])
  func `error codes are equal by name`(_ row: Row<ErrorCode, Bool>) {
    let code = ErrorCode("late", "It came too late.")

    #expect((code == row.input) == row.expected)
    #expect((Set([code, row.input]).count == 1) == row.expected)
  }
}

/// What was reported, in order.
final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// A clock whose time passes by sleeping only.
final class RecordingClock: Clock {
  struct Instant: InstantProtocol {
    let time: Duration

    func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
    func duration(to other: Instant) -> Duration { other.time - time }
    static func < (left: Instant, right: Instant) -> Bool { left.time < right.time }
  }

  private let deadlines = Mutex<[Duration]>([])

  /// The times until which it slept.
  var sleeps: [Duration] { deadlines.withLock { $0 } }
  var now: Instant { Instant(time: sleeps.last ?? .zero) }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    deadlines.withLock { $0.append(deadline.time) }
  }
}
