internal import FlowCore
internal import FlowPlan

extension Transcript {
  private static let mostShown = 20

  /// The recorded values that do not fit the present declarations of absent components, or nil.
  ///
  /// A replay without components reports each in its turn. With live ones, that may be after they
  /// did much.
  func misfits(with plan: Plan, live: Set<String>) -> Diagnostic? {
    let types = CallTypes(plan)
    var shown: [String] = []
    // Each call is read from its lines once. A lazy sequence would read it more often.
    for call in calls where !live.contains(call.component) {
      if let misfit = types[call.name].flatMap({ call.misfit(with: $0) }) { shown.append(misfit) }
      if shown.count > Self.mostShown { break }
    }
    if shown.isEmpty { return nil }
    let more = shown.count > Self.mostShown ? ["and more"] : []
    return Diagnostic(
      .unfitRecordedAnswer,
      "recorded answers do not fit the current declarations of the components",
      at: nil, notes: shown.prefix(Self.mostShown) + more)
  }
}

extension Transcript.Call {
  /// The difference between the answer and its declared type, with its line, or nil.
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
        // A calling component reads only some of the fields.
        if case .missing = error.reason, !address.calls.isEmpty { return nil }
        return line + "\(error)"
      }
    case .cancelled?, nil: return nil
    }
  }
}
