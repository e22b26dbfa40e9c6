import FlowCore
import Testing

struct DecimalTextTests {
  static let ones38 = String(repeating: "1", count: 38)

  static let accepted: [TextRow<String>] = [
    TextRow("0", "0 0"), TextRow("-0", "0 0"), TextRow("+0", "0 0"), TextRow("007", "7 0"),
    TextRow("12", "12 0"), TextRow("-12", "-12 0"), TextRow("+12", "12 0"),
    TextRow("12.50", "1250 2"), TextRow("-0.05", "-5 2"), TextRow("-0.0", "0 1"),
    TextRow(".5", "5 1"), TextRow("-.5", "-5 1"), TextRow("5.", "5 0"), TextRow("5.e1", "50 0"),
    TextRow("1e3", "1000 0"), TextRow("1E+3", "1000 0"), TextRow("12.50e1", "1250 1"),
    TextRow("12.50e3", "12500 0"), TextRow("1.5e-3", "15 4"), TextRow(".5e-1", "5 2"),
    TextRow("1e0003", "1000 0"), TextRow("0e100", "0 0"),
    TextRow("1e38", "1" + String(repeating: "0", count: 38) + " 0"), TextRow("1e-38", "1 38"),
    TextRow("10e-39", "1 38"), TextRow("0e-100", "0 38"),
    TextRow(ones38, ones38 + " 0"), TextRow("0." + ones38, ones38 + " 38"),
    TextRow("0000000000" + ones38, ones38 + " 0"),
    TextRow("170141183460469231731687303715884105727", "\(Int128.max) 0"),
    TextRow("-170141183460469231731687303715884105728", "\(Int128.min) 0"),
  ]

  @Test(arguments: accepted)
  func `a number is read with its scale`(_ row: TextRow<String>) {
    #expect(Decimal(row.text)?.parts == row.expected)
  }

  @Test(arguments: [
    "", " ", ".", "+", "-", "+.", "--1", "+-1", "1-", "1-2", " 1", "1 ", "1,5", "1_000", "1.2.3",
    "e5", ".e5", "1e", "1e+", "1e-", "1e+-5", "1e5.", "1e5e5", "1e1.5", "0x10", "inf", "nan", "١",
    "１", "1\u{301}", "1\0", "1e39", "2e38", "1e-39", "1e101", "1e-101", "1e99999999999999999999",
    "170141183460469231731687303715884105728", "-170141183460469231731687303715884105729",
    ones38 + "11", "0." + ones38 + "1", "0." + ones38 + "00",
  ])
  func `another form or a number too long is refused`(_ text: String) {
    #expect(Decimal(text) == nil)
  }

  static let printed: [Row<Decimal, String>] = [
    Row("zero", .zero, "0"), Row("a whole number", Decimal(100), "100"),
    Row("a fraction", Decimal(significand: 8750, scale: 2), "87.50"),
    Row("a small negative", Decimal(significand: -5, scale: 2), "-0.05"),
    Row("zero with a scale", Decimal(significand: 0, scale: 2), "0.00"),
    Row("as many digits as scale", Decimal(significand: 12, scale: 2), "0.12"),
    Row(
      "the smallest", Decimal(significand: 1, scale: 38),
      "0." + String(repeating: "0", count: 37) + "1"),
    Row(
      "more than a word holds", Decimal(significand: -184_467_440_737_095_516_160, scale: 20),
      "-1.84467440737095516160"),
    Row("the greatest", .greatest, "170141183460469231731687303715884105727"),
    Row("the least", .least, "-170141183460469231731687303715884105728"),
    Row(
      "the least with a scale", Decimal(significand: .min, scale: 38),
      "-1.70141183460469231731687303715884105728"),
  ]

  @Test(arguments: printed)
  func `a number prints all digits of its scale`(_ row: Row<Decimal, String>) {
    #expect(row.input.description == row.expected)
  }

  @Test(arguments: printed.map(\.input) + accepted.compactMap { Decimal($0.text) })
  func `what is printed is read again`(_ number: Decimal) {
    #expect(Decimal(number.description)?.parts == number.parts)
  }
}
