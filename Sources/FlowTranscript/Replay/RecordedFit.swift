internal import FlowCore
internal import FlowScenario

extension Transcript {
  private static let mostShown = 20

  /// What was recorded and does not fit what absent components declare now, all of it at once; nil for nothing.
  ///
  /// A replay without components says so when it comes there; with live ones that may be after they did much.
  func misfits(with plan: Plan, live: Set<String>) -> Diagnostic? {
    let types = CallTypes(plan)
    var shown: [String] = []
    // Each is read from its lines when it comes by; a lazy sequence would read it more than once.
    for call in calls where !live.contains(call.component) {
      if let misfit = types[call.name].flatMap({ call.misfit(with: $0) }) { shown.append(misfit) }
      if shown.count > Self.mostShown { break }
    }
    if shown.isEmpty { return nil }
    let more = shown.count > Self.mostShown ? ["and more"] : []
    return Diagnostic(
      .unfitRecordedAnswer, "recorded answers do not fit what the components declare now",
      at: nil, notes: shown.prefix(Self.mostShown) + more)
  }
}

extension Transcript.Call {
  /// How the answer differs from the declared one, with its line; nil where it fits.
  fileprivate func misfit(with types: CallTypes.Types) -> String? {
    let line = "line \(answerLine ?? line): '\(address)' called '\(name)': "
    switch answer {
    case .error(let code, _)?:
      let isDeclared = types.errors.contains(code) || code == ErrorCode.unexpected.name
      return isDeclared ? nil : line + "the error '\(code)' is not declared"
    case .output(let output)?:
      do throws(DecodeError) {
        _ = try Value(output.served, as: .record(types.output))
        return nil
      } catch {
        // A component that calls reads some of the fields only.
        if case .missing = error.reason, CallKey.isOfComponent(address) { return nil }
        return line + "\(error)"
      }
    case .cancelled?, nil: return nil
    }
  }
}
