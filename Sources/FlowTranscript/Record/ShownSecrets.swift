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

  // MARK: - Places

  /// The parts of a request and an answer whose members are headers or parameters.
  private static let parameters: Set<String> = ["headers", "query", "trailers"]

  private static func find(in value: Value, _ places: inout Set<String>) {
    guard case .record(let record) = value else { return }
    for (field, value) in zip(record.type.fields, record.values) {
      let place = parameters.contains(field.name) ? CredentialNames.Place.parameter : .field
      find(in: value, Member(path: field.name, name: field.name, place: place), &places)
    }
  }

  /// A value with its place and the name that says what it is.
  private struct Member {
    let path: String
    let name: String
    let place: CredentialNames.Place
    /// True below the name of a secret.
    var isInside = false

    func member(_ key: String) -> Member {
      let isInside = isInside || place == .field && CredentialNames.isSecret(name)
      return Member(path: "\(path).\(key)", name: key, place: place, isInside: isInside)
    }
  }

  private static func find(in value: Value, _ member: Member, _ places: inout Set<String>) {
    switch value {
    case .string(let text): find(in: text, member, &places)
    case .int, .uint, .double, .decimal:
      if CredentialNames.isSecretNumber(member.name) { places.insert(member.path) }
    case .optional(let value?): find(in: value, member, &places)
    case .list(let values): for value in values { find(in: value, member, &places) }
    case .map(let map):
      for entry in map.entries {
        find(in: entry.value, member.member(entry.key.interpolated), &places)
      }
    default: return
    }
  }

  private static func find(in text: String, _ member: Member, _ places: inout Set<String>) {
    if Redactor.hasPlaceholder(.string(text)) { return }
    if CredentialNames.isSecret(member.name, holding: text, in: member.place)
      || member.isInside && !CredentialNames.isHarmless(member.name)
        && !CredentialNames.isPlain(text)
    {
      places.insert(member.path)
    } else {
      for found in SecretFinder.secrets(in: text) { places.insert("\(member.path).\(found.name)") }
    }
  }
}
