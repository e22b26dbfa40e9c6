import Testing

@testable import FlowExpression

/// The grammar and the lexis.
struct SyntaxTests {
  @Test(arguments: [
    Sample("1 + 2 * 3 - 4", "((1 + (2 * 3)) - 4)"),
    Sample("1 - 2 - 3", "((1 - 2) - 3)"),
    Sample("a || b && c || d", "(a || (b && c) || d)"),
    Sample("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
    Sample("-a.b[0]", "-a.b[0]"),
    Sample("-2.5.x", "-2.5.x"),
    Sample("--1", "--1"),
    Sample("!!a", "!!a"),
    Sample("a < b == c in d", "(((a < b) == c) in d)"),
    Sample("f(1, x.g('a'),)".replacing(",)", with: ")"), "f(1, x.g(\"a\"))"),
    Sample("{'a': [1, 2,], ?b: c,}", "{\"a\": [1, 2], ?b: c}"),
    Sample("a.?b[?'c'].`d-e`", "a.?b[?\"c\"].`d-e`"),
    Sample(".a.b(c)", ".a.b(c)"),
    Sample("a // comment\n + b", "(a + b)"),
    Sample("1u + 0xFFu", "(1u + 255u)"),
    Sample("b'é'", "b[195, 169]"),
  ])
  func `the tree follows the precedence of operators`(_ sample: Sample) throws {
    #expect(try Parser.parse(sample.expression).normalizedText == sample.expected)
  }

  @Test(arguments: [
    Sample("", "0..<0 the expression ends too early, expected an expression"),
    Sample("1 +", "3..<3 the expression ends too early, expected an expression"),
    Sample("1 2", "2..<3 unexpected '2', expected an operator"),
    Sample("(1", "2..<2 the expression ends too early, expected ')'"),
    Sample("[1 2]", "3..<4 unexpected '2', expected ',' or ']'"),
    Sample("{1 2}", "3..<4 unexpected '2', expected ':'"),
    Sample("f(1 2)", "4..<5 unexpected '2', expected ',' or ')'"),
    Sample("f(1,)", "4..<5 unexpected ')', expected an expression"),
    Sample("a ? b", "5..<5 the expression ends too early, expected ':'"),
    Sample("a.", "2..<2 the expression ends too early, expected a field name"),
    Sample("a.in", "2..<4 unexpected 'in', expected a field name"),
    Sample("a = b", "2..<3 unexpected character '='; did you mean '=='?"),
    Sample("a and b", "2..<5 unexpected 'and', expected an operator; did you mean '&&'?"),
    Sample("'é' + €", "6..<7 unexpected character '€'"),
    Sample("'a", "0..<2 unterminated string"),
    Sample("'a\n'", "0..<2 unterminated string"),
    Sample("'é\\s'", "2..<4 '\\s' is not a valid escape"),
    Sample("'\\ud800'", "1..<7 '\\ud800' is not a valid escape"),
    Sample("'\\x4'", "1..<3 '\\x' is not a valid escape"),
    Sample("b'\\U00000041'", "2..<4 '\\U' is not a valid escape"),
    Sample("12abc", "0..<5 the number is malformed"),
    Sample("0x", "0..<2 the number is malformed"),
    Sample("9223372036854775808", "0..<19 the number '9223372036854775808' is out of range"),
    Sample("-9223372036854775809", "0..<20 the number '-9223372036854775809' is out of range"),
    Sample("1e400", "0..<5 the number '1e400' is out of range"),
    Sample("for + 1", "0..<3 'for' is a reserved word"),
    Sample("a.b{c: 1}", "0..<3 protocol buffer messages are not supported, use a map"),
    Sample(
      "a.`b", "2..<4 a quoted name may contain only letters, digits, '_', '.', '-', '/' and spaces"),
    Sample("!-a", "2..<3 unexpected 'a', expected a number"),
  ])
  func `a text that is no expression is refused at its place`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test(arguments: [
    Sample("0x1F", "int 31"), Sample("-0x1f", "int -31"),
    Sample("18446744073709551615u", "uint 18446744073709551615"),
    Sample("-9223372036854775808", "int -9223372036854775808"), Sample(".5e1", "double 5.0"),
    Sample("1E-2", "double 0.01"), Sample("'''a'b\n'''", "string \"a'b\\n\""),
    Sample("r'\\n'", "string \"\\\\n\""),
    Sample("\"\\u00e9\\U0001F431\\101\\x41\"", "string \"é🐱AA\""),
    Sample("b'\\xff\\377' == bytes('ÿ')", "bool false"), Sample("size(bR'\\x')", "int 2"),
    Sample("'a' 'b'".replacing(" ", with: "+"), "string \"ab\""),
  ])
  func `a literal has its value`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test(arguments: [
    ("item", true), ("loop", true), ("for", false), ("a b", false), ("", false), ("a.", false),
    ("1a", false),
  ])
  func `an identifier is a word that is not reserved`(_ text: String, _ isIdentifier: Bool) {
    #expect(Lexer.isIdentifier(text) == isIdentifier)
  }
}
