public import FlowEngine
internal import Synchronization

/// Writes a golden transcript: what crossed the boundary, without times, in a stable order.
///
/// The bytes depend on what happened alone; recording the same behaviour twice gives the same ones.
public final class Recorder: EventSink {
  private struct State {
    var writer = JSONWriter()
    var failure: (any Error)?
  }

  private let scenario: String
  private let write: @Sendable ([UInt8]) throws -> Void
  private let state = Mutex(State())
  // Large enough that a system call costs little a line, small enough to stay in the cache.
  private static let chunk = 64 << 10

  /// A recorder of one run.
  ///
  /// - Parameters:
  ///   - scenario: The scenario's path relative to the transcript's folder.
  ///   - write: Takes the next bytes of the transcript; whole lines, in order.
  public init(scenario: String, write: @escaping @Sendable ([UInt8]) throws -> Void) {
    self.scenario = scenario
    self.write = write
  }

  /// The first error that `write` threw; nothing was written after it.
  public var failure: (any Error)? { state.withLock { $0.failure } }

  /// Writes the event's line, if it has one.
  public func receive(_ event: Event) {
    state.withLock { state in
      guard state.failure == nil else { return }
      state.writer.line(of: event, scenario: scenario)
      if case .runEnded = event {} else if state.writer.bytes.count < Self.chunk { return }
      do { try write(state.writer.bytes) } catch { state.failure = error }
      state.writer.removeAll()
    }
  }
}
