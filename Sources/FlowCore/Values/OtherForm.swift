internal import FlowSystem

/// The difference between a recorded value and another one that an answer may have in its place.
///
/// Its text is the same for two recordings of one call.
public struct ValueChange: Sendable, Hashable, CustomStringConvertible {
  /// The change in a reader's words, such as `one element less`.
  public let description: String

  private init(_ description: String) { self.description = description }

  /// Another text.
  package static let text = ValueChange("another text")
  /// Other bytes.
  package static let bytes = ValueChange("other bytes")
  /// The opposite truth value.
  package static let opposite = ValueChange("the opposite")
  /// The number after it.
  package static let next = ValueChange("next number")
  /// The number with the other sign.
  package static let negated = ValueChange("negated")
  /// The least allowed number.
  package static let minimum = ValueChange("minimum")
  /// The greatest allowed number.
  package static let maximum = ValueChange("maximum")
  /// Zero.
  package static let zero = ValueChange("zero")
  /// An instant nearby.
  package static let time = ValueChange("another time")
  /// A date of another century, or of the year 2000.
  package static let past = ValueChange("in the past")
  /// A longer span of time.
  package static let longer = ValueChange("a second longer")
  /// Null.
  package static let null = ValueChange("null")
  /// A value in place of none.
  package static let present = ValueChange("a value")
  /// No member.
  package static let missing = ValueChange("missing")
  /// A list without elements.
  package static let emptied = ValueChange("empty list")
  /// A list without its last element.
  package static let shortened = ValueChange("one element less")
  /// A list with its last element twice.
  package static let lengthened = ValueChange("one element more")
  /// The code of another error.
  package static let error = ValueChange("another error")
  /// The whole answer of another call.
  package static let answer = ValueChange("another answer")

  /// One of the values that a declaration names, such as one of an `enum`.
  package static func named(_ value: Value) -> ValueChange {
    ValueChange("another value: \(value.interpolated)")
  }

  /// True if the two values alone do not show it.
  package var isHidden: Bool { [.minimum, .maximum].contains(self) }
}

/// Another value that an answer may have in the place of a recorded one.
public struct OtherForm: Sendable, Hashable {
  /// The difference from the recorded value.
  package let change: ValueChange
  /// The other value, or nil for a member that is left out.
  package let value: Value?

  package init(_ change: ValueChange, _ value: Value?) {
    self.change = change
    self.value = value
  }
}

/// A description of values that says which others are allowed, such as a JSON Schema.
///
/// `flow mutate` asks it for other answers that a service could give.
public protocol DescribedValues: Sendable {
  /// Returns the other forms of each part of a value of which the description says something, by
  /// the part's place.
  ///
  /// A part without a place in it may have any value. An empty list is that of a part that may
  /// only have this one. Called with recorded answers, so its work must be bounded.
  func otherForms(of value: Value) -> [FieldPath: [OtherForm]]
}

extension Value {
  /// The greatest number of values of an enumeration that are tried.
  package static let mostNamedForms = 4

  /// Returns other values of the same type, such as the next number, its negation, a changed text
  /// or a list without its last element.
  ///
  /// None is equal to the value or to another one. Empty for maps and records.
  package func otherForms(_ type: ValueType) -> [OtherForm] {
    switch (type, self) {
    case (.enumeration(let names), .string(let name)):
      names.lazy.filter { $0 != name }.prefix(Self.mostNamedForms)
        .map { OtherForm(.named(.string($0)), .string($0)) }
    case (_, .null): [OtherForm(.present, .string("x"))]
    case (_, .bool(let value)): [OtherForm(.opposite, .bool(!value))]
    case (_, .string(let text)): [OtherForm(.text, .string(text.isEmpty ? "x" : text + "~"))]
    case (_, .bytes(let bytes)):
      [OtherForm(.bytes, .bytes(Bytes(Self.altered(Array(bytes.content)))))]
    case (_, .timestamp(let instant)): instant.otherForms
    case (_, .duration(let span)):
      [
        OtherForm(.longer, .duration(span + .seconds(1))),
        OtherForm(.negated, .duration(.zero - span)),
      ].unlike(self)
    case (_, .int), (_, .uint), (_, .double), (_, .decimal): numbers.unlike(self)
    case (_, .number(let number)): number.value.otherForms(type)
    case (_, .list(let elements)):
      elements.otherLengths.map { OtherForm($0.change, .list($0.elements)) }
    default: []
    }
  }

  /// The value with one part of it changed as `flow mutate` changes it, or nil without such a part.
  ///
  /// It is for values that nothing describes: of a list or map, the first part that can be changed.
  public var changedInOnePart: Value? {
    switch self {
    case .list(let elements):
      for (index, element) in elements.enumerated() {
        guard let changed = element.changedInOnePart else { continue }
        return .list(elements[..<index] + [changed] + elements[(index + 1)...])
      }
      return nil
    case .map(var map):
      for entry in map.entries {
        guard let changed = entry.value.changedInOnePart else { continue }
        map[entry.key] = changed
        return .map(map)
      }
      return nil
    case .null, .record: return nil
    default: return otherForms(.dynamic).first?.value
    }
  }

  private static func altered(_ bytes: [UInt8]) -> [UInt8] {
    guard let first = bytes.first else { return [0] }
    return [first ^ 1] + bytes.dropFirst()
  }

  private var numbers: [OtherForm] {
    [(ValueChange.next, next), (.negated, negated)].compactMap { change, value in
      value.map { OtherForm(change, $0) }
    }
  }

  /// The value plus one, or minus one at the maximum.
  private var next: Value? {
    switch self {
    case .int(let number): .int(number == .max ? number - 1 : number + 1)
    case .uint(let number): .uint(number == .max ? number - 1 : number + 1)
    case .double(let number): .double(number + 1 == number ? number / 2 : number + 1)
    case .decimal(let number): (try? number + Decimal(1)).map(Value.decimal)
    default: nil
    }
  }

  private var negated: Value? {
    switch self {
    case .int(let number): number == .min ? nil : .int(-number)
    case .double(let number): .double(-number)
    case .decimal(let number): (try? number.negated()).map(Value.decimal)
    default: nil
    }
  }
}

extension [OtherForm] {
  /// Returns the forms that are equal neither to a value nor to a form before them.
  package func unlike(_ value: Value) -> [OtherForm] {
    var forms: [OtherForm] = []
    for form in self where form.value != value && !forms.contains(where: { $0.value == form.value })
    {
      forms.append(form)
    }
    return forms
  }
}

extension Array {
  // Longer lists are pages already, and one more element of theirs shows nothing.
  private static var longest: Int { 10_000 }

  /// The list without its last element, without any, and with its last element twice.
  ///
  /// None is equal to another one. Empty for an empty list.
  package var otherLengths: [(change: ValueChange, elements: [Element])] {
    guard let last else { return [] }
    let shorter = count > 1 ? [(ValueChange.shortened, Array(dropLast()))] : []
    let longer = count < Self.longest ? [(ValueChange.lengthened, self + [last])] : []
    return shorter + [(.emptied, [])] + longer
  }
}

extension Timestamp {
  private static let pasts = [
    "2000-01-01T00:00:00Z", "1900-01-01T00:00:00Z", "0001-01-01T00:00:00Z",
  ]

  fileprivate var otherForms: [OtherForm] {
    let other = advanced(by: .seconds(1)) ?? advanced(by: .seconds(-1))
    let past = Self.past(before: description).flatMap { Timestamp($0) }
    return [(ValueChange.time, other), (.past, past)].compactMap { change, time in
      time.map { OtherForm(change, .timestamp($0)) }
    }
  }

  /// Returns an instant years before another one, both in the form of RFC 3339, or nil before the
  /// first one.
  package static func past(before text: String) -> String? {
    pasts.first { $0.prefix(4) < text.prefix(4) }
  }
}
