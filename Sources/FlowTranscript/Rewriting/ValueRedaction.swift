internal import FlowCore
internal import FlowRedaction
internal import FlowSystem

/// Hides texts in recorded values, by their types.
///
/// A value keeps its form: bytes remain base 64, and what a run hides nowhere stays.
struct ValueRedaction {
  private let redactor: Redactor
  /// The paths of the hidden texts of the latest value.
  private(set) var paths: [String] = []

  init(_ redactor: Redactor) { self.redactor = redactor }

  /// Returns a value without its hidden texts, and notes their paths.
  mutating func value(_ value: RecordedValue, as type: ValueType) -> RecordedValue {
    paths = []
    return redacted(value, as: type, at: "")
  }

  /// Returns a text of a line without its hidden parts.
  private mutating func text(_ text: String, at path: String) -> String {
    let redacted = redactor.redacted(text)
    if redacted != text { paths.append(path) }
    return redacted
  }

  private mutating func redacted(
    _ value: RecordedValue, as type: ValueType, at path: String
  ) -> RecordedValue {
    switch value {
    case .pattern(let pattern):
      guard pattern.hasWrittenExample, let example = pattern.example else { return value }
      let place = path.isEmpty ? RecordedPattern.exampleName : "\(path).example"
      return .pattern(pattern.withExample(redacted(example, as: .dynamic, at: place)))
    case .body(let blob, let json): return body(blob, json, as: type, at: path)
    case .array(let elements): return .array(list(elements, of: type.element, at: path))
    case .object(let members, let isLiteral):
      return .object(named(members, type, path, isLiteral: isLiteral), isLiteral: isLiteral)
    case .plain(let json):
      if type.unwrapped == .dynamic, let tag = json.tag { return tagged(tag, in: json, at: path) }
      let opened = value.opened
      if opened.isPlain { return .plain(scalar(json, as: type.unwrapped, at: path)) }
      let count = paths.count
      let redacted = redacted(opened, as: type, at: path)
      return paths.count == count ? value : .plain(redacted.json)
    }
  }

  private mutating func scalar(_ json: JSON, as type: ValueType, at path: String) -> JSON {
    switch json {
    case .string(let text): .string(string(text, as: type, at: path))
    case .number(let text): type == .dynamic ? number(text, in: json, at: path) : json
    default: json
    }
  }

  private mutating func list(
    _ elements: [RecordedValue], of type: ValueType, at path: String
  ) -> [RecordedValue] {
    var result: [RecordedValue] = []
    for (index, element) in elements.enumerated() {
      result.append(redacted(element, as: type, at: "\(path)[\(index)]"))
    }
    return result
  }

  private mutating func string(_ text: String, as type: ValueType, at path: String) -> String {
    switch type {
    case .string, .dynamic: return self.text(text, at: path)
    case .bytes:
      guard let bytes = Base64.decode(text) else { return text }
      let redacted = redacted(bytes, at: path)
      return redacted == bytes ? text : Base64.encode(redacted)
    default: return text
    }
  }

  /// Without numbers, which could not be renumbered inside of base 64.
  private mutating func redacted(_ bytes: [UInt8], at path: String) -> [UInt8] {
    let redacted = PlaceholderNumbers.removed(from: redactor.redacted(bytes))
    if redacted != bytes { paths.append(path) }
    return redacted
  }

  private mutating func number(_ text: String, in json: JSON, at path: String) -> JSON {
    let value = (try? Value(dynamic: json)).map { "\($0)" } ?? text
    guard let hidden = redactor.redactedNumber(value) else { return json }
    paths.append(path)
    return .string(hidden)
  }

  /// Returns a value whose type is written beside it.
  private mutating func tagged(
    _ tag: JSON.Member, in json: JSON, at path: String
  ) -> RecordedValue {
    switch (tag.name, tag.value) {
    case ("$bytes", let value):
      let bytes = redacted(.plain(value), as: .bytes, at: path)
      return .object([.init(name: "$bytes", value: bytes)], isLiteral: false).simplified
    case ("$map", .array(let pairs)):
      let pairs = list(pairs.map(RecordedValue.plain), of: .dynamic, at: path)
      return .object([.init(name: "$map", value: .array(pairs))], isLiteral: false).simplified
    case ("$decimal", .string(let text)), ("$number", .string(let text)),
      ("$uint", .string(let text)):
      return .plain(number(text, in: json, at: path))
    default: return .plain(json)
    }
  }

  /// Returns the members of a record, or those of a map with hidden names.
  private mutating func named(
    _ members: [RecordedValue.Member], _ type: ValueType, _ path: String, isLiteral: Bool
  ) -> [RecordedValue.Member] {
    // The parts of a value whose tag is beside a body.
    let isTagged = !isLiteral && type.unwrapped == .dynamic && members.count == 1
    var values: [RecordedValue.Member] = []
    for member in members {
      let inner = path.isEmpty ? member.name : "\(path).\(member.name)"
      let memberType =
        isTagged && member.name == "$bytes" ? ValueType.bytes : type.member(member.name)
      values.append(
        .init(name: member.name, value: redacted(member.value, as: memberType, at: inner)))
    }
    if case .record = type.unwrapped { return values }
    let renamed = redactor.hidingNames(of: values.map(\.name))
    if renamed == values.map(\.name) { return values }
    paths.append(path)
    return zip(renamed, values).map { RecordedValue.Member(name: $0, value: $1.value) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Returns a body with its new name, or the value itself if it is short now.
  private mutating func body(
    _ blob: Blob, _ value: JSON, as type: ValueType, at path: String
  ) -> RecordedValue {
    let count = paths.count
    let changed: JSON =
      switch (blob.form, value) {
      case (.text, .string(let text)): .string(self.text(text, at: path))
      case (.base64, .string(let text)): .string(string(text, as: .bytes, at: path))
      default: redacted(.plain(value), as: type, at: path).json
      }
    if paths.count == count { return .body(blob, value) }
    guard let content = Blob.content(of: changed, blob.form) else { return .plain(changed) }
    if content.count <= Blob.longestInLine { return .plain(changed) }
    return .body(Blob(of: content, blob.form), changed)
  }
}

extension RecordedValue {
  /// The value as a plain one if all of its parts are plain.
  fileprivate var simplified: RecordedValue {
    switch self {
    case .object(let members, _):
      let parts = members.map(\.value.simplified)
      return parts.allSatisfy(\.isPlain) ? .plain(json) : self
    case .array(let elements): return elements.allSatisfy(\.isPlain) ? .plain(json) : self
    default: return self
    }
  }
}
