package import FlowCore
package import FlowSystem

extension Redactor {
  /// Returns a value with placeholders in its strings and bytes, and with the same types.
  ///
  /// A name of an enumeration remains, since a component declares it publicly. A hidden number
  /// becomes a string if any value is allowed.
  package func redacted(_ value: Value) -> Value {
    isActive ? redacted(value, as: .dynamic) : value
  }

  private func redacted(_ value: Value, as type: ValueType) -> Value {
    let type = type.unwrapped
    switch value {
    case .string(let text): return .string(redacted(text))
    // Without numbers, which could not be renumbered inside of base 64.
    case .bytes(let bytes):
      return .bytes(Bytes(PlaceholderNumbers.removed(from: redacted(bytes.content))))
    case .list(let values): return .list(values.map { redacted($0, as: type.inner) })
    case .optional(let value): return .optional(value.map { redacted($0, as: type) })
    case .record(let record): return .record(redacted(record))
    case .map(let map): return .map(redacted(map, valuesAs: type.inner))
    case .int, .uint, .double, .decimal, .number:
      return type == .dynamic ? redactedNumber("\(value)").map { .string($0) } ?? value : value
    case .null, .bool, .timestamp, .duration, .type: return value
    }
  }

  private func redacted(_ map: ValueMap, valuesAs type: ValueType) -> ValueMap {
    var result = ValueMap()
    for entry in map.entries {
      var key = redacted(entry.key, as: .string)
      if result[key] != nil, case .string(let name) = key {
        key = .string(Self.unused(name) { result[.string($0)] == nil })
      }
      result[key] = redacted(entry.value, as: type)
    }
    return result
  }

  /// Returns a name for one that shares its placeholder with a different name: `${secret:token}
  /// (2)`.
  fileprivate static func unused(_ name: String, isUnused: (String) -> Bool) -> String {
    var number = 2
    while !isUnused("\(name) (\(number))") { number += 1 }
    return "\(name) (\(number))"
  }

  private func redacted(_ record: RecordValue) -> RecordValue {
    RecordValue(record.type, zip(record.type.fields, record.values).map(redacted))
  }

  private func redacted(_ field: RecordType.Field, _ value: Value) -> Value {
    switch (field.type, value) {
    case (.enumeration, _), (.optional(.enumeration), _): return value
    // One that is too short to be found elsewhere is hidden here all the same.
    case (_, .string(let text)) where field.isSecret && !Redactor.canHide(text):
      return .string(Placeholder.secret(field.name).text)
    default: return redacted(value, as: field.type)
    }
  }

  /// Hides the secret fields of a value's records from now on.
  ///
  /// They have the field's name, with that of `component` before it for a component's: two
  /// components of one plugin have different passwords.
  ///
  /// - Throws: `SecretError` when one is too short. The others are hidden.
  package func hideSecrets(in value: Value, of component: String? = nil) throws(SecretError) {
    // Most records have none, and this is asked for every event that a component reports.
    if case .record(let record) = value, !record.type.hasSecrets { return }
    var failure: SecretError?
    hideSecrets(in: value, component.map { $0 + "." } ?? "", &failure)
    if let failure { throw failure }
  }

  /// The most texts that are hidden in one part of an answer.
  package static let mostTexts = 1_000

  /// The name of the secret in a component's field: `api.token`.
  ///
  /// A key of JSON may be any text, so what no name has becomes `_`.
  package static func name(ofField field: String, of component: String) -> String {
    let name = Array("\(component).\(field)".utf8).map {
      PlaceholderNumbers.isOfName($0) ? $0 : UInt8(ascii: "_")
    }
    return String(decoding: name.prefix(PlaceholderNumbers.longestName), as: UTF8.self)
  }

  /// Hides all texts and numbers in a value from now on, and the texts of its bytes.
  ///
  /// - Throws: `SecretError` when one cannot be hidden. The others are hidden.
  package func hideTexts(in value: Value, named name: String) throws(SecretError) {
    var (texts, failure): ([String], SecretError?) = ([], nil)
    if !Self.addTexts(in: value, to: &texts) { failure = .notText(name) }
    if texts.count > Self.mostTexts { failure = .tooMany(name, most: Self.mostTexts) }
    for text in texts.prefix(Self.mostTexts) {
      do throws(SecretError) { try add(text, named: name) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Returns false if the value contains bytes that are not text.
  private static func addTexts(in value: Value, to texts: inout [String]) -> Bool {
    switch value {
    case .string(let text): texts.append(text)
    case .int, .uint, .double, .decimal, .number: texts.append("\(value)")
    case .bytes(let bytes):
      guard let text = String(validating: bytes.content, as: UTF8.self) else { return false }
      texts.append(text)
    case .optional(let value?): return addTexts(in: value, to: &texts)
    case .list(let values): return addTexts(in: values, to: &texts)
    case .record(let record): return addTexts(in: record.values, to: &texts)
    case .map(let map): return addTexts(in: map.entries.map(\.value), to: &texts)
    case .optional(nil), .null, .bool, .timestamp, .duration, .type: break
    }
    return true
  }

  private static func addTexts(in values: [Value], to texts: inout [String]) -> Bool {
    var areTexts = true
    for value in values where !addTexts(in: value, to: &texts) { areTexts = false }
    return areTexts
  }

  private func hideSecrets(in value: Value, _ prefix: String, _ failure: inout SecretError?) {
    switch value {
    case .list(let values): for value in values { hideSecrets(in: value, prefix, &failure) }
    case .map(let map): for entry in map.entries { hideSecrets(in: entry.value, prefix, &failure) }
    case .record(let record) where record.type.hasSecrets:
      for (field, value) in zip(record.type.fields, record.values) {
        guard field.isSecret, case .string(let text) = value else {
          hideSecrets(in: value, prefix, &failure)
          continue
        }
        let name = prefix + field.name
        do throws(SecretError) { try add(text, named: name) } catch {
          hideFieldsAlone()
          failure = error
        }
      }
    default: return
    }
  }
}

extension Redactor {
  /// Returns the names of members with placeholders, different ones apart.
  package func hidingNames(of members: [String]) -> [String] {
    var known: Set<String> = []
    return members.map { member in
      var name = redacted(member)
      // A repeated name that was not hidden remains.
      if name != member, known.contains(name) {
        name = Self.unused(name) { !known.contains($0) }
      }
      known.insert(name)
      return name
    }
  }
}

extension ValueType {
  /// The type of the values in a list or a map, or `dynamic` for any other type.
  fileprivate var inner: ValueType {
    switch self {
    case .list(let element), .map(let element): element
    default: .dynamic
    }
  }
}

extension Diagnostic {
  /// Returns the problem with placeholders in its words.
  package func redacted(by redactor: Redactor) -> Diagnostic {
    guard redactor.isActive else { return self }
    var copy = self
    copy.message = redactor.redacted(message)
    copy.notes = notes.map(redactor.redacted)
    copy.context = context.map(redactor.redacted)
    copy.fixes = fixes.map(redactor.redacted)
    copy.facts = facts.redacted(by: redactor)
    return copy
  }
}

extension DiagnosticFacts {
  /// Returns the data with placeholders in its texts.
  fileprivate func redacted(by redactor: Redactor) -> DiagnosticFacts {
    var copy = self
    copy.address = address.map(redactor.redacted)
    copy.differences = differences.map {
      Difference(
        path: redactor.redacted($0.path), expected: redactor.redacted($0.expected),
        got: redactor.redacted($0.got))
    }
    copy.edits = edits.map {
      SourceEdit($0.kind, $0.span, redactor.redacted($0.text), after: $0.key)
    }
    return copy
  }
}

extension ComponentError {
  /// Returns the error with placeholders in its words, and in its code unless that is declared.
  package func redacted(by redactor: Redactor, isDeclared: Bool = false) -> ComponentError {
    guard redactor.isActive else { return self }
    var copy = self
    if !isDeclared, code != .unexpected { copy.code.name = redactor.redacted(code.name) }
    copy.message = redactor.redacted(message)
    return copy
  }
}

extension JSON {
  /// Returns the tree with placeholders in its strings, which remains a tree for any secrets.
  ///
  /// With `names`, member names are redacted too: for data, not for a document's own structure.
  package func redacted(by redactor: Redactor, names: Bool) -> JSON {
    guard redactor.isActive else { return self }
    switch self {
    case .null, .bool, .number: return self
    case .string(let text): return .string(redactor.redacted(text))
    case .array(let elements):
      return .array(elements.map { $0.redacted(by: redactor, names: names) })
    case .object(let members): return .object(JSON.redacted(members, redactor, names: names))
    }
  }

  private static func redacted(
    _ members: [Member], _ redactor: Redactor, names: Bool
  ) -> [Member] {
    let texts = members.map(\.name)
    return zip(names ? redactor.hidingNames(of: texts) : texts, members).map { name, member in
      Member(name, member.value.redacted(by: redactor, names: names))
    }
  }
}
