import FlowCore
import Testing

/// The other values of a recorded value's type.
@Suite struct OtherFormTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let type: ValueType
    let value: Value
    let forms: [String]
    var testDescription: String { "\(value) as \(type)" }

    init(_ type: ValueType, _ value: Value, _ forms: String...) {
      (self.type, self.value, self.forms) = (type, value, forms)
    }
  }

  @Test(arguments: cases) func `a value has the other forms of its type`(_ sample: Case) {
    let forms = sample.value.otherForms(sample.type)

    #expect(forms.map { "\($0.change) -> \($0.value?.summary() ?? "")" } == sample.forms)
    #expect(Set(forms.map(\.change)).count == forms.count)
  }

  private static func time(_ text: String) -> Value {
    Timestamp(text).map(Value.timestamp) ?? .null
  }

  static let cases = [
    Case(.bool, .bool(false), "the opposite -> true"),
    Case(.int, .int(3), "next number -> 4", "negated -> -3"),
    Case(.int, .int(0), "next number -> 1"),
    Case(.int, .int(.max), "next number -> 9223372036854775806", "negated -> -9223372036854775807"),
    Case(.int, .int(.min), "next number -> -9223372036854775807"),
    Case(.uint, .uint(.max), "next number -> 18446744073709551614"),
    Case(.decimal, .decimal(Decimal(7)), "next number -> 8", "negated -> -7"),
    Case(.double, .double(-0.5), "next number -> 0.5"),
    Case(.string, .string(""), #"another text -> "x""#),
    Case(.string, .string("ab"), #"another text -> "ab~""#),
    Case(
      .enumeration(["low", "mid", "high"]), .string("mid"), #"another value: low -> "low""#,
      #"another value: high -> "high""#),
    Case(
      .enumeration(["a", "b", "c", "d", "e", "f"]), .string("f"), #"another value: a -> "a""#,
      #"another value: b -> "b""#, #"another value: c -> "c""#, #"another value: d -> "d""#),
    Case(.enumeration(["only"]), .string("only")),
    Case(.bytes, .bytes(Bytes([])), "other bytes -> 1 bytes"),
    Case(
      .timestamp, time("2024-02-29T10:00:00Z"), "another time -> 2024-02-29T10:00:01Z",
      "in the past -> 2000-01-01T00:00:00Z"),
    Case(
      .timestamp, time("1970-01-01T00:00:00Z"), "another time -> 1970-01-01T00:00:01Z",
      "in the past -> 1900-01-01T00:00:00Z"),
    Case(
      .timestamp, time("9999-12-31T23:59:59.999999999Z"),
      "another time -> 9999-12-31T23:59:58.999999999Z", "in the past -> 2000-01-01T00:00:00Z"),
    Case(.timestamp, time("0001-05-01T00:00:00Z"), "another time -> 0001-05-01T00:00:01Z"),
    Case(.duration, .duration(.seconds(2)), "a second longer -> 3s", "negated -> -2s"),
    Case(.duration, .duration(.milliseconds(-500)), "a second longer -> 0.5s"),
    Case(.dynamic, .null, #"a value -> "x""#),
    Case(.list(.int), .list([])),
    Case(.list(.int), .list([.int(4)]), "empty list -> []", "one element more -> [4, 4]"),
    Case(
      .list(.int), .list([.int(4), .int(5)]), "one element less -> [4]", "empty list -> []",
      "one element more -> [4, 5, 5]"),
    Case(.map(.int), .map(ValueMap([("a", .int(1))]))),
  ]

  @Test func `a long list gets no element more`() {
    let list = Value.list(Array(repeating: .int(1), count: 10_000))

    #expect(list.otherForms(.dynamic).map(\.change) == [.shortened, .emptied])
  }
}
