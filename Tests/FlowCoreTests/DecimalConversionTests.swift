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

  static let exact: [Row<Double, String?>] = [
    Row("0", 0, "0 0"), Row("-0", -0.0, "0 0"), Row("1", 1, "1 0"), Row("-3", -3, "-3 0"),
    Row("0.5", 0.5, "5 1"), Row("-2.75", -2.75, "-275 2"), Row("1024", 1024, "1024 0"),
    Row("2^53", 0x1p53, "9007199254740992 0"), Row("2^53 + 2", 0x1p53 + 2, "9007199254740994 0"),
    Row("2^-38", 0x1p-38, "363797880709171295166015625 38"),
    Row("3 * 2^-38", 0x3p-38, "1091393642127513885498046875 38"),
    Row("2^-39", 0x1p-39, nil), Row("2^-60", 0x1p-60, nil),
    Row("2^20 + 2^-32", 0x1p20 + 0x1p-32, "104857600000000023283064365386962890625 32"),
    Row("2^51 + 0.5", 0x1p51 + 0.5, "22517998136852485 1"),
    Row("2^126", 0x1p126, "85070591730234615865843651857942052864 0"),
    Row("-2^126", -0x1p126, "-85070591730234615865843651857942052864 0"),
    Row("just below 2^127", 0x1p127.nextDown, "170141183460469212842221372237303250944 0"),
    Row("2^127", 0x1p127, nil), Row("-2^127", -0x1p127, "\(Int128.min) 0"),
    Row("just below -2^127", (-0x1p127).nextDown, nil),
    Row("0.1", 0.1, nil), Row("1e300", 1e300, nil),
    Row("the smallest", .leastNonzeroMagnitude, nil),
    Row("the smallest normal", .leastNormalMagnitude, nil),
    Row("the greatest", .greatestFiniteMagnitude, nil),
    Row("infinity", .infinity, nil), Row("NaN", .nan, nil),
  ]

  @Test(arguments: exact)
  func `a double becomes the decimal it exactly is, or none`(_ row: Row<Double, String?>) {
    #expect(Decimal(exactly: row.input)?.parts == row.expected)
  }

  @Test(arguments: exact.map(\.input))
  func `the exact decimal of a double is that double again`(_ number: Double) {
    guard let decimal = Decimal(exactly: number) else { return }

    #expect(decimal.double == number)
  }

  @Test(arguments: [
    Row("overflow", DecimalError.overflow, "decimal overflow"),
    Row("zero", .divisionByZero, "division by zero"),
    Row("inexact", .inexact, "inexact decimal quotient"),
  ])
  func `an error has its phrase`(_ row: Row<DecimalError, String>) {
    #expect(row.input.description == row.expected)
  }
}
