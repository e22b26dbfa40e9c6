import FlowCore
import FlowExpression
import Testing

/// The errors of the checker, with their places and suggestions.
struct CheckerTests {
  @Test(arguments: [
    Sample("step.page.end", "0..<4 'step' is not declared; did you mean 'steps'?"),
    Sample("steps.pgae.end", "6..<10 'steps.pgae' is not declared; did you mean 'page'?"),
    Sample("steps.page.ned", "11..<14 the record has no field 'ned'; did you mean 'end'?"),
    Sample("steps", "0..<5 'steps' is a group of names, not a value"),
    Sample(
      "steps.page.items[0].titel", "20..<25 the record has no field 'titel'; did you mean 'title'?"),
    Sample("steps.page['ned']", "11..<16 the record has no field 'ned'; did you mean 'end'?"),
    Sample("has(steps.page.ned)", "15..<18 the record has no field 'ned'; did you mean 'end'?"),
    Sample("inputs.count.x", "13..<14 an int has no field 'x'"),
    Sample("inputs.names.map(nam, name)", "22..<26 'name' is not declared; did you mean 'nam'?"),
    Sample("unknown + other", "0..<7 'unknown' is not declared\n10..<15 'other' is not declared"),
    Sample(
      "[nope, 1 + 'a', nope2]",
      "1..<5 'nope' is not declared\n7..<14 '+' is not defined for (int, string)\n16..<21 'nope2' is not declared"
    ),
  ])
  func `an unknown name is found and the nearest offered`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test(arguments: [
    Sample("1 + 1u", "0..<6 '+' is not defined for (int, uint)"),
    Sample("1 == '1'", "0..<8 '==' is not defined for (int, string)"),
    Sample("1 == 1.0", "0..<8 '==' is not defined for (int, double)"),
    Sample("1 == null", "0..<9 '==' is not defined for (int, null)"),
    Sample("[1] == ['a']", "0..<12 '==' is not defined for (list(int), list(string))"),
    Sample("null < null", "0..<11 '<' is not defined for (null, null)"),
    Sample("'a' in 'abc'", "0..<12 'in' is not defined for (string, string)"),
    Sample("1 in ['a']", "0..<10 'in' is not defined for (int, list(string))"),
    Sample("!1", "0..<2 '!' takes (bool), got (int)"),
    Sample("-'a'", "0..<4 '-' is not defined for (string)"),
    Sample("1 && true", "0..<1 '&&' expects a bool, got int"),
    Sample("1 ? 2 : 3", "0..<1 '?:' expects a bool, got int"),
    Sample(
      "true ? 1 : 'a'", "0..<14 the two results of '?:' are of different types, int and string"),
    Sample("[1][true]", "0..<9 '[]' is not defined for (list(int), bool)"),
    Sample("'abc'[0]", "0..<8 '[]' is not defined for (string, int)"),
    Sample("{1.5: 1}", "1..<4 a key must be a bool, int, uint or string, not a double"),
    Sample("[?1]", "2..<3 expected an optional such as 'a.?b', got int"),
    Sample("size(1)", "0..<7 'size' is not defined for (int)"),
    Sample("'a'.charAt('b')", "0..<15 'charAt' takes (string, int), got (string, string)"),
    Sample("1.all(x, true)", "0..<1 expected a list or map, got int"),
    Sample("[1].all(x, x)", "11..<12 'all' expects a bool, got int"),
    Sample("[1].transformMapEntry(i, v, v)", "0..<30 the result must be a map, got int"),
    Sample("math.greatest('a')", "0..<18 'math.greatest' is not defined for (string)"),
    Sample("optional.of(1) == 1", "0..<19 '==' is not defined for (optional(int), int)"),
  ])
  func `a wrong type is found`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test(arguments: [
    Sample("siez([1])", "0..<4 there is no function 'siez'; did you mean 'size'?"),
    Sample("len([1])", "0..<3 there is no function 'len'; did you mean 'size'?"),
    Sample(
      "'A'.toLowerCase()",
      "4..<15 there is no function 'toLowerCase'; did you mean 'lowerAscii'?"),
    Sample("True", "0..<4 'True' is not declared; did you mean 'true'?"),
    Sample(
      "'a'.startWith('b')", "4..<13 there is no function 'startWith'; did you mean 'startsWith'?"),
    Sample("math.abss(1)", "0..<9 there is no function 'math.abss'; did you mean 'math.abs'?"),
    Sample("'a'.charAt()", "4..<10 'charAt' takes 1 argument, got 0"),
    Sample("'a'.substring()", "4..<13 'substring' takes 1 or 2 arguments, got 0"),
    Sample("size()", "0..<4 'size' takes 1 argument, got 0"),
    Sample("math.abs(1, 2)", "0..<8 'math.abs' takes 1 argument, got 2"),
    Sample("math.greatest()", "0..<13 'math.greatest' takes at least 1 argument, got 0"),
    Sample("[1].map(x)", "4..<7 'map' takes 2 or 3 arguments, got 1"),
    Sample("has(a, b)", "0..<3 'has' takes 1 argument, got 2"),
    Sample("startsWith('a', 'b')", "0..<10 'startsWith' must be called as 'x.startsWith()'"),
    Sample("'a'.int()", "4..<7 'int' must be called as 'int(x)'"),
    Sample("has(1)", "4..<5 'has' expects a field, as in 'has(a.b)'"),
    Sample("[1].map(1, 2)", "8..<9 'map' expects the name of a new variable"),
    Sample("[1].all(x, x, true)", "11..<12 'all' expects the name of a new variable"),
    Sample("cel.bind(1, 2, 3)", "9..<10 'cel.bind' expects the name of a new variable"),
  ])
  func `a wrong call is found`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test(arguments: [
    Sample(
      "steps.item.kind == 'bran'",
      "19..<25 'bran' is not one of 'barn', 'house'; did you mean 'barn'?"
    ),
    Sample("'hut' != steps.item.kind", "0..<5 'hut' is not one of 'barn', 'house'"),
    Sample(
      "steps.item.kind in ['barn', 'huose']",
      "28..<35 'huose' is not one of 'barn', 'house'; did you mean 'house'?"),
    Sample(
      "'x'.matches('(')", "0..<16 '(' is not a regular expression: missing )"),
    Sample("timestamp(0).getHours('Mars')", "0..<29 'Mars' is not a time zone"),
    Sample("timestamp(0).getHours('++1:00')", "0..<31 '++1:00' is not a time zone"),
    Sample("timestamp(0).getHours('+01:-0')", "0..<31 '+01:-0' is not a time zone"),
  ])
  func `a constant that can never fit is found`(_ sample: Sample) {
    #expect(sample.outcome.hasPrefix(sample.expected))
  }

  @Test(arguments: [
    Sample("[]", "list(dyn)"), Sample("[1, 'a']", "list(dyn)"),
    Sample("{'a': [1]}", "map(string, list(int))"),
    Sample("steps.item.note", "optional(string)"), Sample("steps.?page", "optional(record)"),
    Sample("inputs.names.map(n, n.size())", "list(int)"),
    Sample("inputs.table.map(k, k)", "list(string)"),
    Sample("inputs.table.transformMap(k, v, v > 1)", "map(string, bool)"),
    Sample("inputs.names.transformList(i, v, i)", "list(int)"),
    Sample("[[1], [2]].flatten()", "list(int)"),
    Sample("inputs.names.first()", "optional(string)"),
    Sample("inputs.names[?0].orValue('')", "string"),
    Sample("any.x.y", "dyn"), Sample("dyn(1) + 1", "dyn"), Sample("dyn(1) + dyn(1)", "dyn"),
    Sample("type(1)", "type"),
    Sample("timestamp(0) - timestamp(1)", "duration"), Sample("inputs.amount - 1", "decimal"),
    Sample("cel.bind(x, 1, [x])", "list(int)"),
    Sample("optional.of(1).optMap(x, 'a')", "optional(string)"),
    Sample("math.greatest(1, 2.5)", "dyn"),
    Sample("inputs.amount > 1 ? inputs.amount : 0", "decimal"),
    Sample("steps.page.items.sortBy(i, i.price)[0].title", "string"),
    Sample("steps.page.first.price", "decimal"),
  ])
  func `an expression has the type of its values`(_ sample: Sample) throws {
    #expect(try "\(Expression(sample.expression, in: Fixture.environment).type)" == sample.expected)
  }

  @Test func `the wrong part of a name is found, and others are offered where they may be`() {
    var environment = Environment()
    for number in 0..<2_500 {
      environment.declare(
        "pages.p\(number).first", type: .int, slot: Slot(level: 0, index: number))
    }
    let messages = { (environment: Environment) in
      ["pages.p2499.frist", "pages.page.first"].map { text in
        let errors = #expect(throws: ExpressionErrors.self) {
          try Expression(text, in: environment)
        }
        return errors?.problems.map { "\($0.span) \($0), \($0.known.count) known" } ?? []
      }
    }

    let offered = messages(environment)
    environment.offersNames = false

    #expect(
      offered == [
        ["12..<17 'pages.p2499.frist' is not declared; did you mean 'first'?, 1 known"],
        ["6..<10 'pages.page' is not declared, 2500 known"],
      ])
    #expect(
      messages(environment) == [
        ["12..<17 'pages.p2499.frist' is not declared, 0 known"],
        ["6..<10 'pages.page' is not declared, 0 known"],
      ])
  }

  @Test func `problems come in text order and end with a long list`() throws {
    let text = (0..<100).map { "nope\($0)" }.joined(separator: " + ")

    let errors = #expect(throws: ExpressionErrors.self) { try Expression(text, in: Environment()) }

    #expect(errors?.problems.map(\.message) == (0..<20).map { "'nope\($0)' is not declared" })
  }
}
