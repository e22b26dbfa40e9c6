internal import FlowCore
internal import FlowEngine
internal import FlowRedaction

/// The secrets of programs that a recording shows: credentials in their requests, and in the answers
/// to them.
///
/// A scenario declares its own secrets. Those of a program it does not know, so they are found by the
/// names that imports hide.
struct ShownSecrets {
  private var requests: Set<String> = []
  private var answers: Set<String> = []

  /// The most names to find, since a program may send any.
  private static let most = 100

  /// Looks into a request from outside or its answer.
  ///
  /// What is hidden already is a placeholder in it.
  mutating func note(_ event: Event) {
    guard requests.count + answers.count < Self.most else { return }
    switch event {
    case .invoked(let invocation) where invocation.isFromOutside:
      Self.find(in: invocation.input, &requests)
    case .completed(let invocation, .answer(let answer)) where invocation.isFromOutside:
      Self.find(in: answer, &answers)
    default: return
    }
  }

  /// A sentence with the places and the remedy, or nil without any.
  var sentence: String? {
    let parts = [(requests, "requests"), (answers, "answers")].compactMap { places, owner in
      places.isEmpty ? nil : "\(Self.listed(places)) of \(owner)"
    }
    if parts.isEmpty { return nil }
    return "the recording shows what looks like secrets of a program: "
      + parts.joined(separator: ", ")
      + "; hand them to the program from secret inputs, or hide them by patterns: "
      + "'redact' in flow.yaml"
  }

  private static func listed(_ places: Set<String>) -> String {
    let named = places.sorted().prefix(4).map { "'\($0.onOneLine)'" }.joined(separator: ", ")
    return places.count > 4 ? named + " and \(places.count - 4) more" : named
  }

  private static func find(in value: Value, _ places: inout Set<String>) {
    CredentialParts.visit(value) { places.insert($0.path) }
  }
}
