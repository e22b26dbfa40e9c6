internal import FlowCore
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
      append(event, to: &state.writer)
      if case .runEnded = event {} else if state.writer.bytes.count < Self.chunk { return }
      do { try write(state.writer.bytes) } catch { state.failure = error }
      state.writer.removeAll()
    }
  }

  private func append(_ event: Event, to writer: inout JSONWriter) {
    switch event {
    case .runStarted(let run): TranscriptHeader(run, scenario: scenario).write(to: &writer)
    case .invoked(let invocation): append(invocation, to: &writer)
    case .completed(let invocation, let outcome): append(invocation, outcome, to: &writer)
    case .emitted(let address, let event, let payload):
      begin(address, &writer)
      writer.name("emit")
      writer.string(event)
      writer.name("payload")
      writer.dynamic(payload)
      writer.endObject()
    case .runEnded(let result): append(result, to: &writer)
    case .stepStarted, .stepEnded: return
    }
    writer.endLine()
  }

  private func begin(_ address: Address, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("at")
    writer.address(address)
  }

  private func append(_ invocation: Invocation, to writer: inout JSONWriter) {
    begin(invocation.address, &writer)
    writer.name("invoke")
    writer.string(invocation.name)
    writer.name("input")
    writer.value(invocation.input, as: .record(invocation.inputType))
    writer.endObject()
  }

  private func append(
    _ invocation: Invocation, _ outcome: Outcome, to writer: inout JSONWriter
  ) {
    begin(invocation.address, &writer)
    switch outcome {
    case .answer(let answer):
      writer.name("ok")
      writer.value(answer, as: .record(invocation.outputType))
    case .cancelled:
      writer.name("cancelled")
      writer.bool(true)
    case .error(let error):
      writer.name("error")
      writer.string(error.code.name)
      writer.name("message")
      writer.string(error.message)
    }
    writer.endObject()
  }

  private func append(_ result: RunResult, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("at")
    writer.string("steps")
    writer.name("end")
    writer.string(result.passed ? "passed" : "failed")
    writer.name("outputs")
    Self.write(result.outputs, to: &writer)
    writer.endObject()
  }

  static func write(_ outputs: [(name: String, value: Value)], to writer: inout JSONWriter) {
    writer.beginObject()
    for output in outputs {
      writer.name(output.name)
      writer.dynamic(output.value)
    }
    writer.endObject()
  }
}
