import FlowCore
import Testing

struct DecimalArithmeticTests {
  private static let inexact =
    "the quotient of the decimals has more than 38 digits; for a rounded result, write double(a) / double(b)"

  /// Two operands and the result's text, or the error's.
  struct Case: Sendable, CustomTestStringConvertible {
    let left: String
    let right: String
    let expected: String

    init(_ left: String, _ right: String, _ expected: String) {
      self.left = left
      self.right = right
      self.expected = expected
    }

    var testDescription: String { "\(left) and \(right)" }

    func result(
      _ compute: (Decimal, Decimal) throws(DecimalError) -> Decimal
    ) throws -> String {
      let (left, right) = (try #require(Decimal(left)), try #require(Decimal(right)))
      return text { try compute(left, right) }
    }
  }

  private static let tiny = "1e-38"
  private static let huge = "1e38"
  private static let greatest = Decimal.greatest.description
  private static let least = Decimal.least.description

  static let sums = [
    Case("0.1", "0.2", "0.3"), Case("1.50", "1.5", "3.00"), Case("1", "-1.00", "0.00"),
    Case("99.99", "0.01", "100.00"), Case(greatest, "-1", "\(Int128.max - 1)"),
    Case(greatest, "1", "decimal overflow"), Case(least, "-1", "decimal overflow"),
    Case(least, greatest, "-1"), Case(huge, "0.00", huge.expanded),
    Case(huge, "1.0", huge.successor),
    Case(huge, "0.01", "decimal overflow"), Case(huge, tiny, "decimal overflow"),
  ]

  @Test(arguments: sums)
  func `a sum is exact`(_ row: Case) throws {
    #expect(try row.result { (a, b) throws(DecimalError) in try a + b } == row.expected)
  }

  static let differences = [
    Case("100.00", "12.50", "87.50"), Case("0.3", "0.1", "0.2"), Case("1", "1", "0"),
    Case("0", "0.00", "0.00"), Case(least, "1", "decimal overflow"),
    Case("0", least, "decimal overflow"), Case("-1", least, greatest), Case(least, least, "0"),
    Case(huge, "0.0", huge.expanded), Case(huge, "0.1", "decimal overflow"),
  ]

  @Test(arguments: differences)
  func `a difference is exact`(_ row: Case) throws {
    #expect(try row.result { (a, b) throws(DecimalError) in try a - b } == row.expected)
  }

  static let products = [
    Case("1.5", "1.5", "2.25"), Case("12.50", "2", "25.00"), Case("-3", "0.5", "-1.5"),
    Case("0.00", "5", "0.00"), Case(greatest, "1", greatest), Case(least, "1", least),
    Case(least, "-1", "decimal overflow"), Case(greatest, "2", "decimal overflow"),
    Case(huge, "10", "decimal overflow"),
    Case(huge, "0.10", "1" + String(repeating: "0", count: 37)),
    Case(tiny, "10", "0." + String(repeating: "0", count: 36) + "10"),
    Case(tiny, "0.1", "decimal overflow"),
    Case(tiny, huge, "1." + String(repeating: "0", count: 38)),
    Case("2e-38", "0.5", tiny.expanded), Case("0.5", "2e-38", tiny.expanded),
    Case("-2e-38", "0.5", "-" + tiny.expanded),
    Case("1e-20", "1e-20", "decimal overflow"), Case("0e-38", "0e-38", "0"),
    Case("1152921504606846976", "363797880709171295166015625e-38", "4194304"),
  ]

  @Test(arguments: products)
  func `a product is exact`(_ row: Case) throws {
    #expect(try row.result { (a, b) throws(DecimalError) in try a * b } == row.expected)
  }

  static let quotients = [
    Case("1", "4", "0.25"), Case("1.00", "4.00", "0.25"), Case("10", "5", "2"), Case("0", "3", "0"),
    Case("-1", "8", "-0.125"), Case("1", "-8", "-0.125"), Case("1.0", "0.001", "1000"),
    Case("9", "0.3", "30"), Case("1", tiny, huge.expanded), Case(tiny, "1", tiny.expanded),
    Case(tiny, tiny, "1"), Case(huge, huge, "1"), Case(huge, "1.0", huge.expanded),
    Case(huge, "2.5", "4" + String(repeating: "0", count: 37)),
    Case(greatest, greatest, "1"), Case(greatest, "1", greatest), Case(least, "1", least),
    Case(least, least, "1"), Case(greatest, "-1", "-" + greatest),
    Case(least, "2", "-85070591730234615865843651857942052864"),
    Case("1", "0", "division by zero"), Case("0", "0.00", "division by zero"),
    Case("1", "3", inexact), Case("1", "7.5", inexact),
    Case(tiny, "2", inexact), Case(tiny, huge, inexact),
    Case(least, "-1", "decimal overflow"), Case("5", tiny, "decimal overflow"),
    Case(huge, "0.1", "decimal overflow"), Case(greatest, "0.2", "decimal overflow"),
    Case(greatest, "2", inexact),
  ]

  @Test(arguments: quotients)
  func `a quotient is exact and has the smallest scale`(_ row: Case) throws {
    #expect(try row.result { (a, b) throws(DecimalError) in try a / b } == row.expected)
  }

  @Test(arguments: [
    Row("1.50", Decimal(significand: 150, scale: 2), "-1.50"), Row("zero", .zero, "0"),
    Row("the greatest", .greatest, "-170141183460469231731687303715884105727"),
    Row("the least", .least, "decimal overflow"),
  ])
  func `a negated number keeps its scale`(_ row: Row<Decimal, String>) {
    #expect(text { try row.input.negated() } == row.expected)
  }

  @Test
  func `what was multiplied or added can be taken back`() throws {
    var random = SeededGenerator(seed: 1, label: "arithmetic")
    for _ in 0..<2_000 {
      let left = Decimal(
        significand: Int128(Int64.random(in: .min ... .max, using: &random)),
        scale: Int.random(in: 0...18, using: &random))
      let right = Decimal(
        significand: Int128(Int64.random(in: 1 ... .max, using: &random)),
        scale: Int.random(in: 0...18, using: &random))

      #expect(try left + right - right == left, "\(left.parts), \(right.parts)")
      #expect(try left * right / right == left, "\(left.parts), \(right.parts)")
    }
  }
}

extension String {
  /// The number without its exponent.
  fileprivate var expanded: String { Decimal(self)?.description ?? "" }
  /// The number one greater.
  fileprivate var successor: String { String(expanded.dropLast()) + "1" }
}
