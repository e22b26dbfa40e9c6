import FlowExpression
import Testing

/// Macros and the logical operators, and how they absorb errors.
struct MacroTests {
  @Test(arguments: [
    Sample("true || 1 / 0 > 0", "bool true"), Sample("1 / 0 > 0 || true", "bool true"),
    Sample("1 / 0 > 0 && false", "bool false"),
    Sample("1 / 0 > 0 || false", "error 0..<5: division by zero"),
    Sample("1 / 0 > 0 || 2 % 0 > 0 || false", "error 0..<5: division by zero"),
    Sample("dyn(1) || true", "bool true"),
    Sample("dyn(1) || false", "error 0..<15: '||' is not defined for (int)"),
    Sample("true ? 1 : 1 / 0", "int 1"),
    Sample("dyn(1) ? 1 : 2", "error 0..<14: '?:' is not defined for (int)"),
  ])
  func `a logical operator absorbs the errors of the side that does not matter`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test(arguments: [
    Sample("[1, 2].all(x, x > 0)", "bool true"), Sample("[1, 0].all(x, 1 / x > 1)", "bool false"),
    Sample("[0, 1].all(x, 1 / x == 1)", "error 14..<19: division by zero"),
    Sample("[0, 1].exists(x, 1 / x == 1)", "bool true"), Sample("[].exists(x, true)", "bool false"),
    Sample("{'a': 1}.exists(k, v, k == 'a' && v == 1)", "bool true"),
    Sample("[1, 2, 1].exists_one(x, x == 2)", "bool true"),
    Sample("[0, 1].exists_one(x, 1 / x == 1)", "error 21..<26: division by zero"),
    Sample("[1, 2].existsOne(i, v, i == v)", "bool false"),
    Sample("[1, 2, 3].map(x, x > 1, x * 2)", "list [4, 6]"),
    Sample("{'a': 1, 'b': 2}.map(k, k)", "list [\"a\", \"b\"]"),
    Sample("{'a': 1, 'b': 2}.filter(k, k == 'b')", "list [\"b\"]"),
    Sample("[1, 2].filter(x, dyn(x))", "error 0..<24: the condition is int, not bool"),
    Sample("[4, 5].transformList(i, v, i > 0, i + v)", "list [6]"),
    Sample("[4, 5].transformMap(i, v, v * 2)", "map {0: 8, 1: 10}"),
    Sample("{'a': 1}.transformMap(k, v, v == 2, v)", "map {}"),
    Sample("{'a': 'x'}.transformMapEntry(k, v, {v: k})", "map {x: \"a\"}"),
    Sample(
      "{'a': 'x', 'b': 'x'}.transformMapEntry(k, v, {v: k})",
      "error 0..<52: the key 'x' appears twice"),
    Sample("[[1], [2, 3]].map(l, l.map(x, x * l.size()))", "list [[1], [4, 6]]"),
    Sample("cel.bind(a, 2, cel.bind(b, a + 1, a * b))", "int 6"),
    Sample("[1].map(x, [2].map(x, x))", "list [[2]]"),
    Sample("[1].all(any, any == 1)", "bool true"),
    Sample("[1].all(any, .any.n == 2.0)", "bool true"),
    Sample("dyn(1).all(x, true)", "error 0..<6: expected a list or map, got int"),
    Sample("any.r.all(f, v, f != '')", "bool true"),
  ])
  func `a macro visits the elements of its range`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test(arguments: [
    Sample(
      "lists.range(1000).map(a, lists.range(1000).map(b, lists.range(1000).map(c, a * b * c)))",
      "the evaluation takes too many steps"),
    Sample(
      "lists.range(1000).exists(a, lists.range(1000).exists(b, lists.range(1000).exists(c, c < 0))) || true",
      "the evaluation takes too many steps"),
    Sample("lists.range(10000000)", "the evaluation takes too many steps"),
    Sample(repeated("t.startsWith(t)"), "the evaluation takes too many steps"),
    Sample(repeated("t.endsWith(t)"), "the evaluation takes too many steps"),
    Sample(repeated("bytes(t).size() > 0"), "the evaluation takes too many steps"),
    Sample(doubled("'0123456789'", "+"), "the evaluation takes too many steps"),
    Sample(doubled("[1]", ","), "the evaluation takes too many steps"),
    Sample("size(\(doubled("[1]", ",")).flatten(60))", "the evaluation takes too many steps"),
    Sample("'%s'.format([\(doubled("[1]", ","))])", "the evaluation takes too many steps"),
    Sample(
      "\(doubled("[1]", ",")) == \(doubled("[2]", ","))", "the evaluation takes too many steps"),
    Sample(
      "lists.range(1000000).map(x, '\(String(repeating: "a", count: 18))!'.matches('(a|aa)+$'))",
      "the evaluation takes too many steps"),
  ])
  func `an evaluation ends`(_ sample: Sample) throws {
    let expression = try Expression(sample.expression, in: Fixture.environment)

    let error = #expect(throws: EvaluationError.self) {
      try expression.evaluate(Fixture.activation)
    }

    #expect(error?.message == sample.expected)
    #expect(error?.code == .limit)
  }

  /// A condition on 320 kB of text, 5,000 times over.
  private static func repeated(_ condition: String) -> String {
    "cel.bind(t, lists.range(20000).map(i, '0123456789abcdef').join(),"
      + " lists.range(5000).all(i, \(condition)))"
  }

  /// A value put into itself twice, fifty times over.
  private static func doubled(_ first: String, _ sign: String) -> String {
    let value = { (name: String) in sign == "," ? "[\(name), \(name)]" : "\(name) \(sign) \(name)" }
    var text = "cel.bind(x0, \(first), "
    for level in 1...50 { text += "cel.bind(x\(level), \(value("x\(level - 1)")), " }
    return text + "x50" + String(repeating: ")", count: 51)
  }
}
