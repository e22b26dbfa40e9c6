internal import FlowCore
internal import FlowSystem

/// The values at `$same` places of a recording, and their counterparts in another run.
///
/// Equal recorded values have equal counterparts, and different ones different counterparts.
struct SameValues {
  /// A value that breaks the correspondence.
  struct Conflict: Sendable {
    /// Its place in the input: `headers.idempotency-key`.
    let path: String
    /// The counterpart of the recorded value, or nil if it has none yet.
    let expected: JSON?
    /// The value in the run.
    let now: JSON
  }

  /// A value at a `$same` place.
  private struct Place {
    let path: String
    let recorded: JSON
    let now: JSON
  }

  /// The counterparts, by the recorded values.
  private var present: [String: JSON] = [:]
  /// The recorded values, by their counterparts.
  private var recorded: [String: String] = [:]

  /// Notes the counterparts in an input, and returns the values that break the correspondence.
  mutating func pair(_ recorded: RecordedValue, _ now: JSON) -> [Conflict] {
    guard recorded.hasPatterns else { return [] }
    var conflicts: [Conflict] = []
    for place in Self.places(recorded, now) {
      if isFitting(place) {
        present[place.recorded.text] = place.now
        self.recorded[place.now.text] = place.recorded.text
      } else {
        conflicts.append(
          Conflict(path: place.path, expected: present[place.recorded.text], now: place.now))
      }
    }
    return conflicts
  }

  /// Returns true if no value of an input breaks the correspondence.
  func accepts(_ recorded: RecordedValue, _ now: JSON) -> Bool {
    !recorded.hasPatterns || Self.places(recorded, now).allSatisfy(isFitting)
  }

  private func isFitting(_ place: Place) -> Bool {
    switch (present[place.recorded.text], recorded[place.now.text]) {
    case (nil, nil): true
    case (let now?, let recorded?): now == place.now && recorded == place.recorded.text
    default: false
    }
  }

  /// Returns an answer with the counterpart in place of each recorded value.
  func translated(_ answer: JSON) -> JSON {
    if present.isEmpty { return answer }
    switch answer {
    case .string(let text) where text.utf8.count >= EchoedText.shortest:
      return present[answer.text] ?? answer
    case .array(let elements): return .array(elements.map(translated))
    case .object(let members):
      return .object(members.map { JSON.Member($0.name, translated($0.value)) })
    case .string, .number, .bool, .null: return answer
    }
  }

  private static func places(
    _ recorded: RecordedValue, _ now: JSON, at path: String = ""
  ) -> [Place] {
    switch recorded {
    case .plain: return []
    case .pattern(let pattern):
      guard case .same = pattern.demand, let example = pattern.example else { return [] }
      return [Place(path: path, recorded: example, now: now)]
    case .array(let elements):
      guard case .array(let others) = now else { return [] }
      return zip(elements, others).enumerated().flatMap { index, pair in
        places(pair.0, pair.1, at: "\(path)[\(index)]")
      }
    case .object(let members, let isLiteral):
      let content = isLiteral ? now[JSON.literalName] ?? now : now
      return members.flatMap { member -> [Place] in
        guard let value = content[member.name] else { return [] }
        return places(
          member.value, value, at: path.isEmpty ? member.name : "\(path).\(member.name)")
      }
    }
  }
}
