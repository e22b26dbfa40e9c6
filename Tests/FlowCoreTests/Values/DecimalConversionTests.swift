import FlowCore
import Testing

struct DecimalConversionTests {
  static let integers: [TextRow<Int?>] = [
    TextRow("12", 12), TextRow("-12.00", -12), TextRow("12.5", nil), TextRow("0.0", 0),
    TextRow("9223372036854775807", .max), TextRow("9223372036854775808", nil),
    TextRow("-9223372036854775808.0", .min), TextRow("-9223372036854775809", nil),
  ]

  @Test(arguments: integers)
  func `a number without a fraction is an integer where 64 bits hold it`(_ row: TextRow<Int?>)
    throws
  {
    #expect(try #require(Decimal(row.text)).integer == row.expected)
  }

  static let doubles: [TextRow<Double>] = [
    TextRow("0.1", 0.1), TextRow("-2.50", -2.5), TextRow("0.00", 0), TextRow("1e38", 1e38),
    TextRow("1e-38", 1e-38), TextRow("9007199254740993", 9_007_199_254_740_992),
    TextRow("9007199254740993.1", 9_007_199_254_740_994),
    TextRow("170141183460469231731687303715884105727", 0x1p127),
    TextRow("-170141183460469231731687303715884105728", -0x1p127),
  ]

  @Test(arguments: doubles)
  func `the nearest double is rounded correctly`(_ row: TextRow<Double>) throws {
    #expect(try #require(Decimal(row.text)).double == row.expected)
  }

  static let shortest: [Row<Double, String?>] = [
    Row("0.1", 0.1, "0.1"), Row("1", 1, "1.0"), Row("-0", -0.0, "0.0"),
    Row("1e16", 1e16, "10000000000000000"),
    Row("1e-7", 1e-7, "0.0000001"), Row("1e38", 1e38, "100000000000000000000000000000000000000"),
    Row("1e-38", 1e-38, "0." + String(repeating: "0", count: 37) + "1"),
    Row("1e39", 1e39, nil), Row("1e-39", 1e-39, nil), Row("1.5e-38", 1.5e-38, nil),
    Row("the smallest", .leastNonzeroMagnitude, nil),
    Row("the greatest", .greatestFiniteMagnitude, nil),
    Row("infinity", .infinity, nil), Row("NaN", .nan, nil),
  ]

  @Test(arguments: shortest)
  func `a double becomes its shortest text`(_ row: Row<Double, String?>) {
    #expect(Decimal(row.input)?.description == row.expected)
  }

  @Test(arguments: [
    Row("overflow", DecimalError.overflow, "decimal overflow"),
    Row("zero", .divisionByZero, "division by zero"),
    Row(
      "inexact", .inexact,
      "the quotient of the decimals has more than 38 digits; for a rounded result, write double(a) / double(b)"
    ),
  ])
  func `an error has its phrase`(_ row: Row<DecimalError, String>) {
    #expect(row.input.description == row.expected)
  }
}
