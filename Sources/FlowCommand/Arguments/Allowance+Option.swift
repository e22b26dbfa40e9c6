internal import FlowTranscript

extension Set<ToleratedDeparture> {
  /// The option that gives them.
  static let option = Option(
    name: "allow", value: .required("KINDS"),
    summary:
      "Notes departures that fail otherwise: unexpected, unused or changed calls, or several of these."
  )

  /// What the arguments allow.
  ///
  /// - Throws: `UsageError` for another word, and for unexpected calls where nobody answers them.
  init(_ arguments: ParsedArguments, isLive: Bool) throws(UsageError) {
    self = []
    for list in arguments.values("allow") {
      for word in list.split(separator: ",", omittingEmptySubsequences: false) {
        guard let allowance = ToleratedDeparture(rawValue: String(word)) else {
          throw .malformed(
            option: "allow", value: list,
            expected: ToleratedDeparture.allCases.map(\.rawValue).joined(separator: ", "))
        }
        insert(allowance)
      }
    }
    if contains(.unexpected), !isLive { throw .unanswered }
  }
}
