package import FlowCore
internal import FlowEngine
package import FlowPlan
package import FlowRedaction
internal import FlowSystem

/// The calls of a journal that a changed scenario cannot make as recorded, as far as its text
/// shows.
///
/// A run that went on in spite of them would do all the new steps first, and only then report that
/// it should not have.
struct DepartedCalls {
  /// The calls that no step of the scenario makes.
  private(set) var lost: [Transcript.Call] = []
  /// The first call of each step that makes another one, and the difference.
  private(set) var changed: [(call: Transcript.Call, difference: Diagnostic)] = []

  /// Finds the calls of the steps.
  ///
  /// Calls between components are checked when they are made.
  init(of calls: CallList, in plan: Plan, _ redactor: Redactor) {
    var (finder, seen) = (StepFinder(plan), Set<String>())
    for number in calls.indices {
      let address = calls.address(of: number)
      if !address.calls.isEmpty { continue }
      let path = address.path
      guard let place = finder.place(at: path), place.name != nil,
        place.isInLoops(of: address.iterations)
      else {
        lost.append(calls[number])
        continue
      }
      // All calls of one step have one operation, and one input if it is a constant.
      guard seen.insert(path).inserted else { continue }
      if let difference = Self.departure(of: calls[number], from: place, redactor) {
        changed.append((calls[number], difference))
      }
    }
  }

  /// A diagnostic for each kind of problem, empty if the run may be resumed.
  var diagnostics: [Diagnostic] {
    let calls = lost.isEmpty ? [] : [Self.lost(lost)]
    return (calls + changed.map(\.difference)).map { diagnostic in
      var copy = diagnostic
      copy.notes.append("nothing was run: the journal cannot be resumed with this scenario")
      return copy
    }
  }

  private static func lost(_ calls: [Transcript.Call]) -> Diagnostic {
    let more = calls.count > 5 ? ["and \(calls.count - 5) more"] : []
    let noun = calls.count == 1 ? "1 recorded call is" : "\(calls.count) recorded calls are"
    return Diagnostic(
      .unusedCalls, "\(noun) no longer in the scenario", at: nil,
      notes: calls.prefix(5).map(\.sentence) + more)
  }

  private static func departure(
    of call: Transcript.Call, from place: StepFinder.Place, _ redactor: Redactor
  ) -> Diagnostic? {
    guard place.calls(call.name) else {
      return Diagnostic(
        .otherOperation,
        "'\(call.address)' calls '\(place.name ?? "")', recorded '\(call.name)'", at: nil)
    }
    guard case .record(let input)? = place.input,
      let recorded = try? Value(call.input.json, as: .record(input.type)),
      // A hidden value may be the same one.
      !Redactor.hasPlaceholder(recorded), !redactor.redacted(.record(input)).isOther(.record(input))
    else { return nil }
    let type = ValueType.record(input.type)
    if recorded.isSame(as: .record(input)) { return nil }
    let changes = FieldChange.between(call.input.json, JSON(.record(input), as: type), as: type)
    return Diagnostic(
      .changedInput, "the input of '\(call.address)' has changed", at: nil,
      notes: changes.noteLines)
  }
}

extension Value {
  fileprivate func isOther(_ value: Value) -> Bool { !isSame(as: value) }
}

extension Journal {
  /// Returns the reasons that a changed scenario cannot go on with the journal, as far as its text
  /// shows.
  ///
  /// Empty if it may go on.
  package func departures(in plan: Plan, hidingSecretsBy redactor: Redactor) -> [Diagnostic] {
    plan.hideSecrets(inputs: [], by: redactor)
    return DepartedCalls(of: calls, in: plan, redactor).diagnostics
  }
}
