internal import FlowCore
public import FlowEngine
internal import Synchronization

/// Writes a golden transcript: what crossed the boundary, without times, in a stable order.
///
/// The bytes depend on what happened alone; recording the same behaviour twice gives the same ones.
public final class Recorder: EventSink {
  private struct State {
    var writer = JSONWriter()
    var branches = BranchOrder()
    /// Writes one line of a branch at a time.
    var line = JSONWriter()
    var failure: (any Error)?

    init() {
      // A golden transcript is the same every time; a journal keeps what was answered.
      writer.placesVolatile = true
      line.placesVolatile = true
    }
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
      write(event, &state)
      if case .runEnded = event {} else if state.writer.bytes.count < Self.chunk { return }
      do { try write(state.writer.bytes) } catch { state.failure = error }
      state.writer.removeAll()
    }
  }

  private func write(_ event: Event, _ state: inout State) {
    switch event {
    case .branchStarted(let branch): state.branches.begin(branch)
    case .branchEnded(let branch): state.branches.end(branch)
    default:
      guard !state.branches.isEmpty, let address = event.lineAddress else {
        return state.writer.line(of: event, scenario: scenario)
      }
      state.line.line(of: event, scenario: scenario)
      state.branches.append(state.line.bytes, at: address)
      state.line.removeAll()
    }
    state.writer.append(lines: state.branches.takeReady())
  }
}

extension Event {
  /// The address in the event's line; nil for an event without a line, or without a place in the steps.
  fileprivate var lineAddress: Address? {
    switch self {
    case .invoked(let invocation), .completed(let invocation, _): invocation.address
    case .emitted(let address, _, _): address
    default: nil
    }
  }
}
