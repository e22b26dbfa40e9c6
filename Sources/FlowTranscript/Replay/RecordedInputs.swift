internal import FlowCore
internal import FlowEngine
internal import FlowScenario
internal import FlowSystem

// What a call is given, beside what was recorded.

extension CallList {
  /// How many calls are looked at for the nearest one.
  private static let mostCandidates = 10_000

  /// The recorded call of the same operation whose input is most like that of a call.
  ///
  /// Of several that are as near, the first of those that are left, else the first.
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
  /// The recorded input, with the present one in place of the patterns that accept it.
  func input(for invocation: Invocation) -> RecordedValue {
    guard input.hasPatterns else { return input }
    return input.matched(by: .plain(invocation.inputJSON), as: .record(invocation.inputType))
  }
}

extension Invocation {
  /// The input as a recorder writes it.
  var inputJSON: JSON { JSON(input, as: .record(inputType)) }

  /// How the input differs from a recorded one; what was recorded as nothing and is not given is the same.
  func changes(from recorded: JSON) -> [FieldChange] {
    FieldChange.between(recorded, inputJSON, as: .record(inputType))
      .filter { $0.recorded != .null || $0.now != nil }
  }

  /// What was given; fields that are new since then, and have defaults, are added.
  func value(of recorded: inout JSON) throws(DecodeError) -> Value {
    do { return try Value(recorded, as: .record(inputType)) } catch {
      guard case .missing = error.reason else { throw error }
      recorded = recorded.fillingDefaults(of: inputType, besides: inputJSON)
      return try Value(recorded, as: .record(inputType))
    }
  }
}
