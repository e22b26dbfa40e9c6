internal import FlowCore

extension [Diagnostic] {
  /// The problems in their order, each failure of several steps by one call once.
  ///
  /// Steps at the same time may fail because of one request of a program. The first one names the
  /// places of the others.
  var withoutRepeatedCauses: [Diagnostic] {
    var places: [Cause: [SourceSpan]] = [:]
    for problem in self {
      if let cause = Cause(problem), let span = problem.span {
        places[cause, default: []].append(span)
      }
    }
    return compactMap { problem in
      guard let cause = Cause(problem), let spans = places[cause], spans.count > 1 else {
        return problem
      }
      guard spans[0] == problem.span else { return nil }
      let others = spans.dropFirst().map(\.description).joined(separator: ", ")
      return problem.noting(["it also failed the steps at \(others)"])
    }
  }
}

/// The cause of a failure: a call that was not recorded so, or a request that nothing answers.
private struct Cause: Hashable {
  private let texts: [String]

  /// Nil for any other problem, and for one without a place.
  ///
  /// The messages of these name the call, not the step.
  init?(_ problem: Diagnostic) {
    let code = problem.code
    guard problem.span != nil, code == .notedFailure || code.name.hasPrefix("F30") else {
      return nil
    }
    texts = [code.name, problem.message] + problem.notes + problem.context
  }
}
