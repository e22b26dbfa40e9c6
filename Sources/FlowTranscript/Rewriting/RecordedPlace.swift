package import FlowCore
package import FlowPlan
package import FlowRedaction

/// A part of recorded inputs or answers, as `login.ok.json.token`.
package struct RecordedPlace: Sendable, Hashable {
  /// The step, or one of its calls: `login`, `login#2`.
  package let step: String
  /// The path in the answer, or in the input.
  package let path: ValuePath
  /// True for an answer.
  package let isAnswer: Bool

  /// Reads a step, `ok` or `input`, and a path.
  ///
  /// Nil for another text.
  package init?(_ text: String) {
    let answer = text.firstRange(of: ".ok.")
    let input = text.firstRange(of: ".input.")
    let ranges = [answer, input].compactMap(\.self)
    guard let range = ranges.min(by: { $0.lowerBound < $1.lowerBound }),
      let path = ValuePath(String(text[range.upperBound...]))
    else { return nil }
    isAnswer = range == answer
    step = String(text[..<range.lowerBound])
    self.path = path
    if step.isEmpty { return nil }
  }
}

extension Transcript {
  /// Hides the recorded texts at a place from now on, under the name that `secret` on the step
  /// gives them.
  ///
  /// Returns the number of values found.
  ///
  /// - Throws: `SecretError` when one cannot be hidden.
  package func hide(
    _ place: RecordedPlace, of plan: Plan, by redactor: Redactor
  ) throws(SecretError) -> Int {
    let types = CallTypes(plan)
    var count = 0
    for call in calls where call.address.path == place.step || "\(call.address)" == place.step {
      guard let value = call.value(place, types[call.name]) else { continue }
      let name = Redactor.name(ofField: place.path.field, of: call.component)
      for value in place.path.values(in: value) where !Redactor.hasPlaceholder(value) {
        count += 1
        try redactor.hideTexts(in: value, named: name)
      }
    }
    return count
  }
}

extension Transcript.Call {
  /// The recorded input or answer, or nil.
  fileprivate func value(_ place: RecordedPlace, _ types: CallTypes.Types?) -> Value? {
    guard place.isAnswer else {
      return try? Value(input.served, as: types.map { .record($0.input) } ?? .dynamic)
    }
    guard case .output(let output)? = answer else { return nil }
    return try? Value(output.served, as: types.map { .record($0.output) } ?? .dynamic)
  }
}
