import FlowYAML
import Testing

struct CoreSchemaTests {
  struct Case: CustomTestStringConvertible {
    let text: String
    let meaning: Scalar

    init(_ text: String, _ meaning: Scalar) {
      self.text = text
      self.meaning = meaning
    }

    var testDescription: String { text.isEmpty ? "nothing" : text }
  }

  static let words = [
    Case("", .null), Case("~", .null), Case("null", .null), Case("Null", .null),
    Case("NULL", .null), Case("nULL", .string), Case("nul", .string), Case("nulls", .string),
    Case("~~", .string),
    Case("true", .bool(true)), Case("True", .bool(true)), Case("TRUE", .bool(true)),
    Case("tRUE", .string), Case("false", .bool(false)), Case("False", .bool(false)),
    Case("FALSE", .bool(false)), Case("falsey", .string),
    Case("yes", .string), Case("No", .string), Case("on", .string), Case("off", .string),
    Case("y", .string), Case("n", .string), Case("<<", .string), Case("=", .string),
    Case("2001-12-14", .string), Case("12:30:45", .string), Case("1.2.3", .string),
  ]

  static let integers = [
    Case("0", .int(0)), Case("-0", .int(0)), Case("+12", .int(12)), Case("-19", .int(-19)),
    Case("0777", .int(777)), Case("0o17", .int(15)), Case("0o18", .string), Case("0o", .string),
    Case("0xFf", .int(255)), Case("0x", .string), Case("0xG", .string), Case("-0x1", .string),
    Case("+0o7", .string), Case("0b1", .string), Case("0X1", .string), Case("1_000", .string),
    Case("1,000", .string), Case("+", .string), Case("--1", .string),
    Case("9223372036854775807", .int(.max)), Case("9223372036854775808", .bigInt),
    Case("-9223372036854775808", .int(.min)), Case("-9223372036854775809", .bigInt),
    Case("0x7fffffffffffffff", .int(.max)), Case("0xffffffffffffffff", .bigInt),
    Case("0o1000000000000000000000", .bigInt), Case("1000000000000000000000x", .string),
  ]

  static let floats = [
    Case("1.5", .float(1.5)), Case("-1.", .float(-1)), Case(".5", .float(0.5)),
    Case("+.5", .float(0.5)), Case("1e3", .float(1000)), Case("1E+3", .float(1000)),
    Case("12.e-1", .float(1.2)), Case(".5e1", .float(5)), Case("0.1e", .string),
    Case("e3", .string), Case(".", .string), Case("-.", .string), Case(".e1", .string),
    Case("1.5.", .string), Case("1e3.5", .string), Case("1e+", .string), Case("1f", .string),
    Case(".inf", .float(.infinity)), Case(".Inf", .float(.infinity)),
    Case("+.INF", .float(.infinity)), Case("-.inf", .float(-.infinity)),
    Case(".iNF", .string), Case("inf", .string), Case("-inf", .string), Case("nan", .string),
    Case("+.nan", .string), Case(".infinity", .string), Case("1e400", .float(.infinity)),
  ]

  @Test(arguments: words + integers + floats)
  func `a plain scalar means what the core schema says, and keeps its text`(
    _ testCase: Case
  ) throws {
    let node = try parse("key: \(testCase.text)")["key"]

    #expect(node?.scalar == testCase.meaning)
    #expect(node?.text == testCase.text)
  }

  @Test(arguments: [".nan", ".NaN", ".NAN"])
  func `a plain scalar can be not a number`(_ text: String) throws {
    guard case .float(let value) = try parse(text).scalar else {
      Issue.record("\(text) is no float")
      return
    }

    #expect(value.isNaN)
  }

  @Test(arguments: ["'12'", "\"12\"", "|-\n  12", ">-\n  12"])
  func `quotes and block style make a number a string`(_ text: String) throws {
    let node = try parse("key: \(text)")["key"]

    #expect(node?.scalar == .string)
    #expect(node?.text == "12")
    #expect(node?.isPlain == false)
  }

  @Test(arguments: ["! 12", "!!str 12", "!<!> 12", "!<tag:yaml.org,2002:str> 12"])
  func `a tag can make a number a string`(_ text: String) throws {
    let node = try parse("key: \(text)")["key"]

    #expect(node?.scalar == .string)
    #expect(node?.text == "12")
    #expect(node?.isPlain == true)
  }

  static let tagged = [
    Case("!!int '12'", .int(12)), Case("!!int 0x10", .int(16)),
    Case("!!int 9223372036854775808", .bigInt),
    Case("!!float 1", .float(1)), Case("!!float '1.5'", .float(1.5)),
    Case("!!float 9223372036854775808", .float(9_223_372_036_854_775_808)),
    Case("!!bool 'true'", .bool(true)), Case("!!null ''", .null), Case("!!null", .null),
    Case("!!str", .string), Case("!!str true", .string),
    Case("!<tag:yaml.org,2002:int> 7", .int(7)),
  ]

  @Test(arguments: tagged)
  func `a core tag decides what a scalar means`(_ testCase: Case) throws {
    let node = try parse(testCase.text)

    #expect(node.scalar == testCase.meaning)
    #expect(node.tag != nil)
  }

  @Test
  func `collections have no meaning of their own`() throws {
    let node = try parse("!!seq [!!map {a: 1}]")

    #expect(node.scalar == nil)
    #expect(node.text == "")
    #expect(json(node) == "[{\"a\":1.0}]")
  }
}
