import FlowCore
import FlowExpression
import Testing

/// Exact decimals, the extension of the language.
struct DecimalTests {
  @Test(arguments: [
    Sample("inputs.amount - 12.50", "decimal 87.00"),
    Sample("12.50 + inputs.amount", "decimal 112.00"),
    Sample("inputs.amount * 0.1", "decimal 9.950"),
    Sample("inputs.amount - (12.50 + 0.10)", "decimal 86.90"),
    Sample("inputs.amount - -12.50", "decimal 112.00"),
    Sample("inputs.amount == 99.50", "bool true"),
    Sample("0.1 + 0.2 == 0.3", "bool false"), Sample("decimal('0.1') + 0.2 == 0.3", "bool true"),
    Sample("decimal(12.50)", "decimal 12.50"), Sample("inputs.amount in [99.50, 1]", "bool true"),
    Sample("[inputs.amount] == [99.50]", "bool true"),
    Sample("[inputs.amount, 0.10, 1]", "list [99.50, 0.10, 1]"),
    Sample("inputs.amount > 1 ? inputs.amount : 0.00", "decimal 99.50"),
    Sample("inputs.amount < 1 ? inputs.amount : (true ? 0.10 : 1.0)", "decimal 0.10"),
    Sample("math.greatest(inputs.amount, 99.51)", "decimal 99.51"),
    Sample("optional.of(inputs.amount).orValue(0)", "decimal 99.50"),
    Sample("steps.item.price * inputs.count", "decimal 37.50"),
    Sample("decimal('1e-38')", "decimal 0.00000000000000000000000000000000000001"),
  ])
  func `a literal next to a decimal is one, exactly as written`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test(arguments: [
    Sample("inputs.amount + inputs.count", "decimal 102.50"),
    Sample("2u * inputs.amount", "decimal 199.00"),
    Sample("inputs.amount / 4", "decimal 24.875"), Sample("inputs.amount % 10", "decimal 9.50"),
    Sample("decimal('-7.5') % 2", "decimal -1.5"),
    Sample("decimal('1e37') % decimal('0.01')", "decimal 0.00"),
    Sample(
      "decimal('-170141183460469231731687303715884105727') % decimal('0.03')", "decimal -0.01"),
    Sample(
      "decimal('1e37') % decimal('7e-38')", "decimal 0.00000000000000000000000000000000000006"),
    Sample("decimal('1.5') % decimal('1e38')", "decimal 1.5"),
    Sample("-inputs.amount", "decimal -99.50"), Sample("inputs.amount >= 99", "bool true"),
    Sample("99 < inputs.amount", "bool true"),
    Sample("inputs.amount > double('99.4')", "bool true"),
    Sample("decimal('0.1') == double('0.1')", "bool false"),
    Sample("decimal('0.5') == double('0.5')", "bool true"),
    Sample("string(inputs.amount)", "string \"99.50\""), Sample("int(decimal('-7.9'))", "int -7"),
    Sample("uint(decimal('7.9'))", "uint 7"), Sample("double(decimal('0.1'))", "double 0.1"),
    Sample("decimal(double('0.1'))", "decimal 0.1"), Sample("decimal(3) + 1", "decimal 4"),
    Sample("type(inputs.amount) == decimal", "bool true"),
    Sample("math.round(decimal('2.5'))", "decimal 3"),
    Sample("math.round(decimal('-2.5'))", "decimal -3"),
    Sample("math.floor(decimal('-2.1'))", "decimal -3"),
    Sample("math.ceil(decimal('2.1'))", "decimal 3"),
    Sample("math.trunc(decimal('-2.9'))", "decimal -2"),
    Sample("math.abs(-inputs.amount)", "decimal 99.50"),
    Sample("math.sign(-inputs.amount)", "decimal -1"),
    Sample("[decimal('2.5'), decimal('1.5')].sort()", "list [1.5, 2.5]"),
    Sample("{1: 'a'}[dyn(decimal('1.0'))]", "string \"a\""),
  ])
  func `a decimal works with whole numbers`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test(arguments: [
    Sample("inputs.amount + any.n", "error 0..<21: '+' is not defined for (decimal, double)"),
    Sample(
      "inputs.amount + double('1')",
      "0..<27 '+' is not defined for (decimal, double), convert one with 'decimal()' or 'double()'"),
    Sample(
      "dyn(inputs.amount) + 1.5",
      "error 0..<24: '+' is not defined for (decimal, double); write decimal('1.5')"),
    Sample(
      "2.50 * dyn(inputs.amount)",
      "error 0..<25: '*' is not defined for (double, decimal); write decimal('2.5')"),
    Sample(
      "inputs.amount / 3",
      "error 0..<17: the quotient of the decimals has more than 38 digits; for a rounded result, write double(a) / double(b)"
    ),
    Sample("inputs.amount / 0", "error 0..<17: division by zero"),
    Sample("inputs.amount % 0.0", "error 0..<19: division by zero"),
    Sample(
      "decimal('99999999999999999999999999999999999999') * 10", "error 0..<54: decimal overflow"),
    Sample("decimal('x')", "error 0..<12: 'x' is not a decimal"),
    Sample("decimal(double('NaN'))", "error 0..<22: nan is out of the range of decimal"),
    Sample(
      "int(decimal('1e20'))", "error 0..<20: 100000000000000000000 is out of the range of int"),
  ])
  func `a sum that would not be exact is refused`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test(arguments: [
    ("12.50", "12.50"), ("[12.50, 1]", "[12.50, 1]"), ("true ? 0.10 : 1.00", "0.10"), ("1", "1"),
  ])
  func `a literal alone is a decimal where one is expected`(_ text: String, _ expected: String)
    throws
  {
    let expression = try Expression(
      text, in: Environment(), expecting: text.hasPrefix("[") ? .list(.decimal) : .decimal)

    #expect(expression.constant?.description == expected)
    #expect(expression.type == (text.hasPrefix("[") ? .list(.decimal) : .decimal))
  }
}
