import FlowCore
import Testing

/// Numbers that keep their text.
struct WrittenNumberTests {
  @Test(arguments: [
    "12345678901234567890123456789012345678901", "-0", "-0.0", "-0.00", "1E5", "1e-07", "1.50e+3",
    "0e0", "-0E-5", "1e-400", "1.00000000000000000000000000000000000000000000000000001",
    "0.0000000000000000000000000000000000000000", "1.0000000000000000000000000000000000000000",
    "1.7976931348623157e308", "0.50e1", "[-0,{\"a\":1E2}]",
  ])
  func `a number of JSON is written as it was read`(_ text: String) throws {
    #expect(try Value(json: Array(text.utf8)).json == text)

  }

  @Test(arguments: [
    ("-0", "int 0"), ("-0.0", "decimal 0.0"), ("1E5", "decimal 100000"), ("1e-2", "decimal 0.01"),
    ("12345678901234567890123456789012345678901", "double 1.2345678901234568e+40"),
    ("1e-400", "double 0.0"), ("1e300", "double 1e+300"),
    ("1.00000000000000000000000000000000000000000000000000001", "double 1.0"),
  ])
  func `a number that keeps its text has a value to compute with`(
    _ text: String, _ expected: String
  ) throws {
    let value = try Value(json: Array(text.utf8))

    #expect("\(value.calculable.kindName) \(value.calculable)" == expected)
    #expect(value.kindName == value.calculable.kindName)
    #expect("\(value)" == text)
    #expect("\(Value.list([value]).calculable)" == "[\(value.calculable)]")
  }

  @Test(arguments: [
    ("12", "int"), ("-7", "int"), ("9223372036854775807", "int"),
    ("9223372036854775808", "decimal"),
    ("0.10", "decimal"), ("-12.50", "decimal"), ("0", "int"), ("0.0", "decimal"),
    ("12345678901234567890.123456789", "decimal"),
  ])
  func `another number has no text of its own`(_ text: String, _ kind: String) throws {
    let value = try Value(json: Array(text.utf8))

    if case .number = value { Issue.record("\(text) keeps its text") }
    #expect("\(value.kindName) \(value.json)" == "\(kind) \(text)")
  }

  @Test(
    arguments: [
      ("+1", "1"), ("007", "7"), (".5", "0.5"), ("-.5e3", "-0.5e3"), ("5.", "5"),
      ("-00.10", "-0.10"),
      ("00", "0"), ("1E+05", "1E+05"), ("", nil), ("-", nil), (".", nil), ("1e", nil), ("1e+", nil),
      ("0x1", nil), ("1 ", nil), ("--1", nil), ("1.2.3", nil), (".inf", nil), ("1e400", nil),
      ("e5", nil), ("1_000", nil), ("١", nil),
    ] as [(String, String?)])
  func `a number of YAML gets the notation of JSON`(_ text: String, _ expected: String?) {
    #expect(WrittenNumber(text)?.text == expected)
  }

  @Test(arguments: [
    ("-0", "0"), ("-0.0", "0.0"), ("1E5", "100000"), ("1.50e1", "15.0"),
    (
      "12345678901234567890123456789012345678901", "12345678901234567890123456789012345678901"
    ),
  ])
  func `a recording finds equal numbers by one text`(_ text: String, _ expected: String) throws {
    #expect(
      try String(decoding: Value(json: Array(text.utf8)).canonicalText, as: UTF8.self) == expected)
  }

  @Test(
    arguments: [
      (.decimal, "1E5", "decimal 100000"), (.double, "1E5", "double 100000.0"),
      (.int, "-0", "int 0"), (.optional(.uint), "-0", "uint 0"),
      (.double, "12345678901234567890123456789012345678901", "double 1.2345678901234568e+40"),
      (.dynamic, "-0", "int -0"), (.list(.dynamic), "[1E5]", "list [1E5]"),
      (.int, "1E5", "expected int, got 100000"),
      (.string, "-0", "expected string, got 0"),
      (
        .decimal, "12345678901234567890123456789012345678901",
        "expected decimal, got the double 1.2345678901234568e+40"
      ),
    ] as [(ValueType, String, String)])
  func `a field of a type gets the value`(
    _ type: ValueType, _ text: String, _ expected: String
  ) throws {
    let value = try Value(json: Array(text.utf8))
    let result: String
    do {
      let converted = try value.converted(to: type)
      result = "\(converted.kindName) \(converted)"
    } catch { result = "\(error)" }

    #expect(result == expected)
  }
}
