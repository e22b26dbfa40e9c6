package import FlowCore
package import FlowSystem

extension Redactor {
  /// A value whose texts and bytes have placeholders; its types stay as they are.
  ///
  /// A name of an enumeration stays, since a component declares it for everybody to read.
  package func redacted(_ value: Value) -> Value {
    guard isActive else { return value }
    switch value {
    case .string(let text): return .string(redacted(text))
    // Without numbers, which nothing could count anew in their base 64.
    case .bytes(let bytes):
      return .bytes(Bytes(PlaceholderNumbers.removed(from: redacted(bytes.content))))
    case .list(let values): return .list(values.map(redacted))
    case .optional(let value): return .optional(value.map(redacted))
    case .record(let record): return .record(redacted(record))
    case .map(let map):
      var result = ValueMap()
      for entry in map.entries { result[redacted(entry.key)] = redacted(entry.value) }
      return .map(result)
    case .null, .bool, .int, .uint, .double, .decimal, .timestamp, .duration, .type: return value
    }
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
    default: return redacted(value)
    }
  }

  /// Hides what stands in the secret fields of a value's records from now on.
  ///
  /// They are called by the field's name, behind that of `component` if they are a component's: two
  /// components of one plugin have different passwords.
  ///
  /// - Throws: `SecretError` when one is too short; the others are hidden.
  package func hideSecrets(in value: Value, of component: String? = nil) throws(SecretError) {
    // Most records have none, and this is asked for every event that a component reports.
    if case .record(let record) = value, !record.type.hasSecrets { return }
    var failure: SecretError?
    hideSecrets(in: value, component.map { $0 + "." } ?? "", &failure)
    if let failure { throw failure }
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
        do throws(SecretError) { try add(text, named: name) } catch { failure = error }
      }
    default: return
    }
  }
}

extension Diagnostic {
  /// The same problem with placeholders in its words.
  package func redacted(by redactor: Redactor) -> Diagnostic {
    guard redactor.isActive else { return self }
    var copy = self
    copy.message = redactor.redacted(message)
    copy.notes = notes.map(redactor.redacted)
    copy.context = context.map(redactor.redacted)
    copy.fixes = fixes.map(redactor.redacted)
    return copy
  }
}

extension ComponentError {
  /// The same error with placeholders in its words, and in its code unless that is a declared one.
  package func redacted(by redactor: Redactor, isDeclared: Bool = false) -> ComponentError {
    guard redactor.isActive else { return self }
    var copy = self
    if !isDeclared, code != .unexpected { copy.code.name = redactor.redacted(code.name) }
    copy.message = redactor.redacted(message)
    return copy
  }
}

extension JSON {
  /// The tree with placeholders in its texts; it stays a tree whatever the secrets look like.
  ///
  /// With `names`, those of its members are redacted too: for data, not for a document's own structure.
  package func redacted(by redactor: Redactor, names: Bool) -> JSON {
    guard redactor.isActive else { return self }
    switch self {
    case .null, .bool, .number: return self
    case .string(let text): return .string(redactor.redacted(text))
    case .array(let elements):
      return .array(elements.map { $0.redacted(by: redactor, names: names) })
    case .object(let members):
      return .object(
        members.map {
          let value = $0.value.redacted(by: redactor, names: names)
          return Member(names ? redactor.redacted($0.name) : $0.name, value)
        })
    }
  }
}
