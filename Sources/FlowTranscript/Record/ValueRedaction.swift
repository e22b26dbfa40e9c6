internal import FlowCore
internal import FlowRedaction
internal import FlowSystem

/// Hides texts in the values of a finished recording, by their types.
///
/// A value keeps its form: bytes remain base 64, and what a run hides nowhere stays.
struct ValueRedaction {
  /// Returns the content of a body.
  typealias Contents = (Blob) throws(BlobError) -> [UInt8]

  private let redactor: Redactor
  private let content: Contents
  /// The bodies that the values name now.
  private(set) var bodies: [Blob: [UInt8]] = [:]
  /// The paths of the hidden texts of the latest value.
  private(set) var paths: [String] = []

  init(_ redactor: Redactor, _ content: @escaping Contents) {
    self.redactor = redactor
    self.content = content
  }

  /// Returns a value of a line without its hidden texts, and notes their paths.
  mutating func value(_ json: JSON, as type: ValueType) throws(BlobError) -> JSON {
    paths = []
    return try redacted(json, as: type, at: "")
  }

  /// Returns a text of a line without its hidden parts.
  mutating func text(_ text: String, at path: String) -> String {
    let redacted = redactor.redacted(text)
    if redacted != text { paths.append(path) }
    return redacted
  }

  private mutating func redacted(
    _ json: JSON, as type: ValueType, at path: String
  ) throws(BlobError) -> JSON {
    switch json.form {
    case .pattern(let members):
      if let blob = Blob(json) { return try body(blob, as: type, at: path) }
      return .object(try self.members(members, at: path) { $0 == "example" ? .dynamic : nil })
    case .literal(let members):
      return .object([.init(JSON.literalName, .object(try named(members, type, path)))])
    case .plain: return try plain(json, as: type, at: path)
    }
  }

  private mutating func plain(
    _ json: JSON, as type: ValueType, at path: String
  ) throws(BlobError) -> JSON {
    switch json {
    case .null, .bool: return json
    case .string(let text): return .string(string(text, as: type.unwrapped, at: path))
    case .number(let text):
      return type.unwrapped == .dynamic ? number(text, in: json, at: path) : json
    case .array(let elements): return .array(try list(elements, of: type.element, at: path))
    case .object(let members):
      if type.unwrapped == .dynamic, let tag = json.tag {
        return try tagged(tag, in: json, at: path)
      }
      return .object(try named(members, type, path))
    }
  }

  private mutating func list(
    _ elements: [JSON], of type: ValueType, at path: String
  ) throws(BlobError) -> [JSON] {
    var result: [JSON] = []
    for (index, element) in elements.enumerated() {
      result.append(try redacted(element, as: type, at: "\(path)[\(index)]"))
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
  ) throws(BlobError) -> JSON {
    switch (tag.name, tag.value) {
    case ("$bytes", _): .object([.init("$bytes", try redacted(tag.value, as: .bytes, at: path))])
    case ("$map", .array(let pairs)):
      .object([.init("$map", .array(try list(pairs, of: .dynamic, at: path)))])
    case ("$decimal", .string(let text)), ("$number", .string(let text)),
      ("$uint", .string(let text)):
      number(text, in: json, at: path)
    default: json
    }
  }

  // MARK: - Members

  /// Returns the members of a record, or those of a map with hidden names.
  private mutating func named(
    _ members: [JSON.Member], _ type: ValueType, _ path: String
  ) throws(BlobError) -> [JSON.Member] {
    let values = try self.members(members, at: path) { type.member($0) }
    if case .record = type.unwrapped { return values }
    let renamed = redactor.hidingNames(of: values.map(\.name))
    if renamed == values.map(\.name) { return values }
    paths.append(path)
    return zip(renamed, values).map { JSON.Member($0, $1.value) }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Returns members with values of these types.
  ///
  /// A value of no type stays.
  private mutating func members(
    _ members: [JSON.Member], at path: String, _ type: (String) -> ValueType?
  ) throws(BlobError) -> [JSON.Member] {
    var result: [JSON.Member] = []
    for member in members {
      guard let type = type(member.name) else {
        result.append(member)
        continue
      }
      let inner = path.isEmpty ? member.name : "\(path).\(member.name)"
      result.append(.init(member.name, try redacted(member.value, as: type, at: inner)))
    }
    return result
  }

  // MARK: - Bodies

  /// Returns a body with its new name, or the value itself if it is short now.
  private mutating func body(
    _ blob: Blob, as type: ValueType, at path: String
  ) throws(BlobError) -> JSON {
    let content = try content(blob)
    switch blob.form {
    case .text:
      let text = String(decoding: content, as: UTF8.self)
      return keep(Array(self.text(text, at: path).utf8), besides: content, blob)
    case .base64: return keep(redacted(content, at: path), besides: content, blob)
    case .json:
      guard let value = blob.value(content) else { return blob.json }
      let redacted = try plain(value, as: type, at: path)
      return keep(redacted == value ? content : Array(redacted.text.utf8), besides: content, blob)
    }
  }

  private mutating func keep(_ new: [UInt8], besides old: [UInt8], _ blob: Blob) -> JSON {
    if new == old {
      bodies[blob] = old
      return blob.json
    }
    let changed = Blob(of: new, blob.form)
    if new.count <= Blob.longestInLine, let value = changed.value(new) { return value }
    bodies[changed] = new
    return changed.json
  }
}
