import FlowCore
import FlowEngine
import FlowPlan
import FlowReport
import FlowScenario
import Synchronization
import TestKit

/// The console report about a run over the probe component.
struct Report {
  let text: String
  /// The parts written at once.
  let pieces: [String]

  /// Runs the steps with a clock that ticks 10 ms at each reading.
  init(
    _ scenario: String, files: [String: String] = [:],
    settings: String = "{}",
    style change: (inout ConsoleReport.Style) -> Void = { _ in }
  ) async throws {
    let log = PieceLog()
    var style = ConsoleReport.Style()
    change(&style)
    let report = ConsoleReport(style: style, write: log.append)
    let plan = try ProbeRun.plan(
      "flow: 1\ncomponents: {p: {plugin: probe, with: \(settings)}}\n" + scenario,
      files: files)
    var options = Session.Options(in: Directory("."))
    options.clock = TickingClock(.milliseconds(10))
    options.log = { report.log($0, $1) }
    _ = await Session(of: plan, sinks: [report], options: options)
      .run(inputs: try plan.inputValues(texts: []))
    pieces = log.pieces
    text = pieces.joined()
  }

  /// The text with the escape character as `^`.
  var visible: String { text.replacing("\u{1B}", with: "^").replacing("\r", with: "<") }
}

private final class PieceLog: Sendable {
  private let all = Mutex<[String]>([])

  var pieces: [String] { all.withLock { $0 } }

  @Sendable func append(_ text: String) { all.withLock { $0.append(text) } }
}

/// A clock that goes on by a fixed time whenever it is read, and when a test says so.
///
/// A sleep under an hour ends at once, a longer one only when it is cancelled: so no timeout of an hour races
/// with what it limits.
struct TickingClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    func duration(to other: Instant) -> Duration { other.offset - offset }

    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private final class Reading: Sendable {
    let time = Mutex(Duration.zero)
  }

  private let reading = Reading()
  private let tick: Duration

  init(_ tick: Duration) {
    self.tick = tick
  }

  var now: Instant {
    reading.time.withLock { time in
      time += tick
      return Instant(offset: time)
    }
  }

  func advance(by duration: Duration) { reading.time.withLock { $0 += duration } }

  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    guard deadline.offset - reading.time.withLock({ $0 }) > .seconds(3_000) else { return }
    try await Task.sleep(for: .seconds(1_000_000))
  }
}
