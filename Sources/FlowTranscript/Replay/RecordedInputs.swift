internal import FlowCore
internal import FlowEngine
internal import FlowScenario
internal import FlowSystem

// The input of a call, compared with recorded ones.

extension CallList {
  /// The most calls compared to find the nearest one.
  private static let mostCandidates = 10_000

  /// The recorded call of the same operation with the most similar input.
  ///
  /// Of equally similar ones, it is the first remaining one, or else the first.
  func nearest(
    to invocation: Invocation, left: [Transcript.Call]
  ) -> ReplayMismatch.Candidate? {
    let waiting = Set(left.map(\.line))
    let near = lazy.filter { $0.name == invocation.name }.prefix(Self.mostCandidates).map {
      ReplayMismatch.Candidate(
        address: $0.address, line: $0.line, isServed: !waiting.contains($0.line),
        fields: invocation.changes(from: $0.input(for: invocation).json))
    }
    return near.min {
      ($0.fields.count, $0.isServed ? 1 : 0, $0.line)
        < ($1.fields.count, $1.isServed ? 1 : 0, $1.line)
    }
  }
}

extension Transcript.Call {
  /// The recorded input, with the present values in place of the patterns that accept them.
  func input(for invocation: Invocation) -> RecordedValue {
    guard input.hasPatterns else { return input }
    return input.matched(by: .plain(invocation.inputJSON), as: .record(invocation.inputType))
  }
}

extension Invocation {
  /// The input as a recorder writes it.
  var inputJSON: JSON { JSON(input, as: .record(inputType)) }

  /// The differences from a recorded input.
  ///
  /// A recorded null equals an absent field.
  func changes(from recorded: JSON) -> [FieldChange] {
    FieldChange.between(recorded, inputJSON, as: .record(inputType))
      .filter { $0.recorded != .null || $0.now != nil }
  }

  /// The recorded input as a value, with the defaults of fields that are new since then.
  func value(of recorded: inout JSON) throws(DecodeError) -> Value {
    do { return try Value(recorded, as: .record(inputType)) } catch {
      guard case .missing = error.reason else { throw error }
      recorded = recorded.fillingDefaults(of: inputType, besides: inputJSON)
      return try Value(recorded, as: .record(inputType))
    }
  }
}
