internal import FlowCore
internal import FlowPlan
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
    /// True if there is a value in one of the runs only.
    var isOfOneRun = false
  }

  /// A value at a `$same` place.
  private struct Place {
    let path: String
    let recorded: JSON
    let now: JSON

    /// True if there is a value in one of the runs only: no value is the counterpart of none.
    var isOfOneRun: Bool { (recorded == .null) != (now == .null) }
  }

  /// A value by the bytes of its text: two forms of one accented letter are not the same.
  private struct Key: Hashable {
    private let bytes: [UInt8]

    init(_ value: JSON) { bytes = Array(value.text.utf8) }
  }

  /// The counterparts, by the recorded values.
  private var present: [Key: JSON] = [:]
  /// The recorded values, by their counterparts.
  private var recorded: [Key: Key] = [:]
  /// The recorded strings as parts of longer ones.
  private(set) var texts = EchoedText()

  /// Notes the counterparts in an input, and returns the values that break the correspondence.
  mutating func pair(_ recorded: RecordedValue, _ now: JSON) -> [Conflict] {
    guard recorded.hasPatterns else { return [] }
    var conflicts: [Conflict] = []
    for place in Self.places(recorded, now) {
      if isFitting(place) {
        note(place)
      } else {
        conflicts.append(conflict(at: place))
      }
    }
    return conflicts
  }

  private func conflict(at place: Place) -> Conflict {
    let expected = place.isOfOneRun ? place.recorded : present[Key(place.recorded)]
    return Conflict(
      path: place.path, expected: expected, now: place.now, isOfOneRun: place.isOfOneRun)
  }

  private mutating func note(_ place: Place) {
    let isKnown = present.updateValue(place.now, forKey: Key(place.recorded)) != nil
    recorded[Key(place.now)] = Key(place.recorded)
    guard !isKnown, case (.string(let old), .string(let new)) = (place.recorded, place.now) else {
      return
    }
    texts.learn(whole: old, new)
  }

  /// Returns true if no value of an input breaks the correspondence.
  func accepts(_ recorded: RecordedValue, _ now: JSON) -> Bool {
    !recorded.hasPatterns || Self.places(recorded, now).allSatisfy(isFitting)
  }

  private func isFitting(_ place: Place) -> Bool {
    if place.isOfOneRun { return false }
    return switch (present[Key(place.recorded)], recorded[Key(place.now)]) {
    case (nil, nil): true
    case (let now?, let recorded?): now == place.now && recorded == Key(place.recorded)
    default: false
    }
  }

  /// Returns the counterpart of a recorded value that is long enough to be recognised, or nil.
  func counterpart(of value: JSON) -> JSON? {
    switch value {
    case .string(let text), .number(let text):
      text.utf8.count < EchoedText.shortest ? nil : present[Key(value)]
    case .array, .object, .bool, .null: nil
    }
  }

  /// The place of a whole value, or those of the parts of a text.
  private static func places(
    of pattern: RecordedPattern, _ example: JSON, _ now: JSON, at path: String
  ) -> [Place] {
    guard let template = pattern.template, let old = example.string.flatMap(template.parts),
      let new = now.string.flatMap(template.parts)
    else { return [Place(path: path, recorded: example, now: now)] }
    return zip(old, new).map { Place(path: path, recorded: .string($0), now: .string($1)) }
  }

  private static func places(
    _ recorded: RecordedValue, _ now: JSON, at path: String = ""
  ) -> [Place] {
    switch recorded {
    case .plain, .body: return []
    case .pattern(let pattern):
      guard case .same = pattern.demand, let example = pattern.example else { return [] }
      return places(of: pattern, example.served, now, at: path)
    case .array(let elements):
      guard case .array(let others) = now else { return [] }
      return zip(elements, others).enumerated().flatMap { index, pair in
        places(pair.0, pair.1, at: "\(path)[\(index)]")
      }
    case .object(let members, let isLiteral):
      let content = isLiteral ? now[JSON.literalName] ?? now : now
      return members.flatMap { member in
        // A null field is left out.
        places(
          member.value, content[member.name] ?? .null,
          at: path.isEmpty ? member.name : "\(path).\(member.name)")
      }
    }
  }
}
