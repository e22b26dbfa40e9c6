internal import FlowSystem

extension Value {
  /// Reads the value of a JSON text (RFC 8259) from outside, such as the response of a server or a
  /// file.
  ///
  /// Objects become maps and arrays lists. Whole numbers of 64 bits become `int`, and others exact
  /// decimals. A number that would be printed in another way keeps its text: `1E5`, `-0`, and one
  /// with more digits than a decimal. A number too large for a double is refused (RFC 8259, section
  /// 6, allows it), since it would be computed with as infinite.
  ///
  /// - Parameters:
  ///   - text: The text, in UTF-8. Blanks around it and a byte order mark before it are allowed.
  ///   - limit: The most bytes that are read.
  /// - Throws: `JSONError` with the first invalid byte, also for a name that an object has twice,
  ///   for a number that is too large, for more than 128 levels, and for a text above the limit.
  public init(json text: [UInt8], limit: Int = 64 << 20) throws(JSONError) {
    guard text.count <= limit else { throw JSONError(reason: .size(limit), offset: limit) }
    // RFC 8259, section 8.1: no text should start with a mark, and a parser may skip one.
    let mark = PlainText.markLength(of: text)
    if let encoding = PlainText.encoding(of: text) {
      throw JSONError(reason: .otherEncoding(encoding), offset: 0)
    }
    do throws(JSONError) {
      self = try JSONParser.parse(text[mark...], limitsNumbers: true).value
    } catch {
      throw JSONError(reason: error.reason, offset: error.offset + mark)
    }
  }

  /// The value as JSON on one line.
  ///
  /// Records and maps become objects, with keys as scenarios write them. Decimals become numbers
  /// with all their digits, and a number that keeps its text becomes that text. Times, durations and types become strings, and bytes become strings in
  /// base 64. Infinite numbers and NaN, which JSON lacks, become `null`, as in ECMAScript
  /// (`JSON.stringify`). For them `jsonText()` throws instead.
  public var json: String { written(isSorted: false).text }

  /// Returns the value as JSON for use outside of a scenario, where it must be complete.
  ///
  /// - Throws: `JSONNumberError` at the first number that is infinite or NaN.
  public func jsonText() throws(JSONNumberError) -> String {
    if let error = unwritableNumber { throw error }
    return json
  }

  /// A text that equal values share: the keys of maps are sorted by their bytes.
  package var canonicalText: [UInt8] { written(isSorted: true).bytes }

  /// The first 8 bytes of the canonical text's SHA-256 digest, as a number.
  package var canonicalDigest: UInt64 { written(isSorted: true).digest }

  private func written(isSorted: Bool) -> JSONWriter {
    var writer = JSONWriter()
    writer.write(self, isSorted)
    return writer
  }
}

extension JSON {
  fileprivate var value: Value {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let text): Value(jsonNumber: text)
    case .string(let text): .string(text)
    case .array(let elements): .list(elements.map(\.value))
    case .object(let members): .map(ValueMap(members.map { ($0.name, $0.value.value) }))
    }
  }
}

extension JSONWriter {
  /// A value as `Value.json` has it.
  package mutating func write(_ value: Value) { write(value, false) }

  fileprivate mutating func write(_ value: Value, _ isSorted: Bool) {
    switch value {
    case .null, .optional(nil): null()
    case .bool(let value): bool(value)
    case .int(let value): number(value.description)
    case .uint(let value): number(value.description)
    case .double(let value): write(value, isSorted)
    case .decimal(let value): number(value.description)
    // Equal numbers share the sorted form, as far as they are exact.
    case .number(let value) where isSorted && !value.isLong: write(value.value, true)
    case .number(let value): number(value.text)
    case .string(let text): string(text)
    case .bytes(let bytes): string(Base64.encode(bytes.content))
    case .timestamp, .duration, .type: string(value.interpolated)
    case .list(let values): write(values, isSorted)
    case .map(let map):
      let members = map.entries.map { ($0.key.interpolated, $0.value) }
      write(
        isSorted ? members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) } : members,
        isSorted)
    case .record(let record): write(record, isSorted)
    case .optional(let value?): write(value, isSorted)
    }
  }

  private mutating func write(_ value: Double, _ isSorted: Bool) {
    if value.isFinite { return number("\(value)") }
    // The sorted form, which is compared and never read, must distinguish these from null.
    isSorted ? number(value.isNaN ? "nan" : "\(value)") : null()
  }

  private mutating func write(_ values: [Value], _ isSorted: Bool) {
    beginArray()
    for value in values { write(value, isSorted) }
    endArray()
  }

  private mutating func write(_ record: RecordValue, _ isSorted: Bool) {
    beginObject()
    for (index, value) in record.values.enumerated() {
      name(record.type.fields[index].name)
      write(value, isSorted)
    }
    endObject()
  }

  private mutating func write(_ members: [(String, Value)], _ isSorted: Bool) {
    beginObject()
    for member in members {
      name(member.0)
      write(member.1, isSorted)
    }
    endObject()
  }
}

/// A number without a form in JSON.
public struct JSONNumberError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The place in the value, from the outside, empty for the value itself.
  public let path: FieldPath
  /// The number: infinite, or NaN.
  public let number: Double

  /// `'prices[2]' is inf, which JSON cannot hold`.
  public var description: String {
    // The sign of NaN is no part of it.
    let text = number.isNaN ? "nan" : "\(number)"
    return "\(path.isEmpty ? "the value" : "'\(path)'") is \(text), which JSON cannot hold"
  }
}

extension Value {
  /// The first number that JSON cannot represent, or nil.
  fileprivate var unwritableNumber: JSONNumberError? {
    switch self {
    case .double(let number) where !number.isFinite:
      JSONNumberError(path: FieldPath(), number: number)
    case .list(let values):
      Self.first(in: values.enumerated().lazy.map { (.index($0), $1) })
    case .map(let map):
      Self.first(in: map.entries.lazy.map { (.field($0.key.interpolated), $0.value) })
    case .record(let record):
      Self.first(in: zip(record.type.fields, record.values).lazy.map { (.field($0.name), $1) })
    case .optional(let value?): value.unwritableNumber
    default: nil
    }
  }

  private static func first(
    in parts: some Sequence<(FieldPath.Step, Value)>
  ) -> JSONNumberError? {
    for (step, value) in parts {
      guard let error = value.unwritableNumber else { continue }
      return JSONNumberError(path: error.path.inside(step), number: error.number)
    }
    return nil
  }
}

extension Value {
  /// True if no number has more digits than a decimal: a recording shows such a body as its text.
  public var isExactJSON: Bool {
    switch self {
    case .number(let number): !number.isLong
    case .list(let elements): elements.allSatisfy(\.isExactJSON)
    case .map(let map): map.entries.allSatisfy { $0.value.isExactJSON }
    default: true
    }
  }
}
