import FlowExpression
import Testing

/// The standard functions and the extensions, by examples from their definitions.
struct FunctionTests {
  @Test(arguments: [
    Sample("'hello'.charAt(4)", "string \"o\""), Sample("'hello'.charAt(5)", "string \"\""),
    Sample(
      "'hello'.charAt(-1)",
      "error 0..<18: the position -1 is out of range, the string has 5 characters"),
    Sample("'hello mellow'.indexOf('ello')", "int 1"),
    Sample("'hello mellow'.indexOf('ello', 2)", "int 7"),
    Sample("'hello mellow'.indexOf('', 2)", "int 2"),
    Sample("'hello mellow'.indexOf('jello')", "int -1"),
    Sample("'hello mellow'.lastIndexOf('ello', 6)", "int 1"),
    Sample("'hello mellow'.lastIndexOf('')", "int 12"),
    Sample("'tacocat'.substring(0, 4)", "string \"taco\""),
    Sample("'tacocat'.substring(4)", "string \"cat\""),
    Sample("'tacocat'.substring(2, 1)", "error 0..<25: the range ends at 1, before its start at 2"),
    Sample("'hello hello'.replace('he', 'we', 1)", "string \"wello hello\""),
    Sample("'abc'.replace('', '-')", "string \"-a-b-c-\""),
    Sample("'hello hello'.replace('he', 'we', -9223372036854775808)", "string \"wello wello\""),
    Sample("'a b c'.split(' ', 2)", "list [\"a\", \"b c\"]"),
    Sample("'a b c'.split(' ', 0)", "list []"),
    Sample("'a b'.split(' ', -9223372036854775808)", "list [\"a\", \"b\"]"),
    Sample("'abc'.split('')", "list [\"a\", \"b\", \"c\"]"),
    Sample("'abc'.split('', 2)", "list [\"a\", \"bc\"]"),
    Sample("''.split(',')", "list [\"\"]"), Sample("['a', 'b'].join(', ')", "string \"a, b\""),
    Sample("'TacoCÆt'.lowerAscii()", "string \"tacocÆt\""),
    Sample("'TacoCÆt'.upperAscii()", "string \"TACOCÆT\""),
    Sample("'  \\ttrim\\n'.trim()", "string \"trim\""),
    Sample("'gums'.reverse()", "string \"smug\""),
    Sample("strings.quote('a\\n\"')", "string \"\\\"a\\\\n\\\\\\\"\\\"\""),
    Sample("'e\\u0301'.contains('e')", "bool true"), Sample("'é' == 'e\\u0301'", "bool false"),
    Sample("'e\\u0301'.startsWith('é')", "bool false"),
    Sample("'😀b'.size()", "int 2"), Sample("'z' < '😀'", "bool true"),
    Sample("'\\uffff' < '😀'", "bool true"),
  ])
  func `text is worked on by its scalars`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test(arguments: [
    Sample("'%s %s'.format(['a', 1.0])", "string \"a 1\""),
    Sample("'%d%%'.format([3.14])", "string \"3.14%\""),
    Sample("'%.3f'.format([123.4994])", "string \"123.499\""),
    Sample("'%.0f'.format([2.5])", "string \"2\""),
    Sample("'%.0f'.format([0.5])", "string \"0\""),
    Sample("'%.1f'.format([0.05])", "string \"0.1\""),
    Sample("'%.2f'.format([-0.001])", "string \"-0.00\""),
    Sample("'%.2f'.format([9.995])", "string \"9.99\""),
    Sample("'%f'.format([1e20])", "string \"100000000000000000000.000000\""),
    Sample("'%.2f'.format([decimal('9.995')])", "string \"10.00\""),
    Sample("'%.1f'.format([decimal('0.25')])", "string \"0.2\""),
    Sample("'%.3f'.format([2u])", "string \"2.000\""),
    Sample("'%e'.format([0.0])", "string \"0.000000e+00\""),
    Sample("'%.2e'.format([-314.0])", "string \"-3.14e+02\""),
    Sample("'%.0e'.format([9.6])", "string \"1e+01\""),
    Sample("'%.1e'.format([5e-324])", "string \"4.9e-324\""),
    Sample("'%f'.format([1.7976931348623157e308]).size()", "int 316"),
    Sample("'%x %X %o %b %b'.format([-255, 'é', 8, true, -5])", "string \"-ff C3A9 10 1 -101\""),
    Sample(
      "'%s'.format([{'b': [1, null], 'a': b'\\xff\\xfea'}])",
      "string \"{a: \u{FFFD}a, b: [1, null]}\""),
    Sample("'%s'.format([duration('1m1ms')])", "string \"60.001s\""),
    Sample("'%s'.format([1e300])", "string \"1e+300\""),
    Sample("'%s'.format([])", "error 0..<15: the format needs more values than the 0 given"),
    Sample("'%y'.format([1])", "error 0..<16: '%y' is not a format clause"),
    Sample("'%.f'.format([1])", "error 0..<17: '%.' is not a format clause"),
    Sample("'%.9999f'.format([1])", "error 0..<21: '%.9999' is not a format clause"),
    Sample("'%.2d'.format([1])", "error 0..<18: '%d' is not a format clause"),
    Sample("'%d'.format(['a'])", "error 0..<18: '%d' cannot format string"),
    Sample("'%'.format([1])", "error 0..<15: '%' is not a format clause"),
  ])
  func `a format writes its values`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test(arguments: [
    Sample("[1, [2, 3], [4]].flatten()", "list [1, 2, 3, 4]"),
    Sample("[1, [2, [3, [4]]]].flatten(2)", "list [1, 2, 3, [4]]"),
    Sample("[[1]].flatten(-1)", "error 0..<17: the depth is negative"),
    Sample("[1, 2, 3, 4].slice(1, 3)", "list [2, 3]"),
    Sample("[1].slice(0, 2)", "error 0..<15: the index 2 is out of range, the list has 1 elements"),
    Sample("[1, 2].slice(2, 1)", "error 0..<18: the range ends at 1, before its start at 2"),
    Sample("{'a': 1, 'b': 2}.merge({'b': 'x', 'c': 3})", "map {a: 1, b: \"x\", c: 3}"),
    Sample("{1: 'x'}.merge({}).merge({1u: 'y'})", "map {1: \"y\"}"),
    Sample("{'a': {'b': 1}}.merge({'a': {'c': 2}})", "map {a: {c: 2}}"),
    Sample("{}.merge(dyn([1]))", "error 0..<18: 'merge' is not defined for (map, list)"),
    Sample("[1, 'b', 2, 'b', 1.0, {}, {}].distinct()", "list [1, \"b\", 2, {}]"),
    Sample("[0.0/0.0, 0.0/0.0].distinct().size()", "int 2"),
    Sample("[3, 1, 2].sort()", "list [1, 2, 3]"),
    Sample("['b', 'a'].sort()", "list [\"a\", \"b\"]"),
    Sample(
      "[1, 'a'].sort()",
      "error 0..<15: the values cannot be sorted: they must have one comparable type"),
    Sample(
      "[[1]].sort()",
      "error 0..<12: the values cannot be sorted: they must have one comparable type"),
    Sample("['ccc', 'a', 'bb', 'd'].sortBy(s, s.size())", "list [\"a\", \"d\", \"bb\", \"ccc\"]"),
    Sample("[1, 2].reverse()", "list [2, 1]"), Sample("lists.range(3)", "list [0, 1, 2]"),
    Sample("lists.range(-1)", "list []"),
    Sample("[1, 2].first()", "optional optional(1)"), Sample("[].last().hasValue()", "bool false"),
    Sample("[1, 2] + [3]", "list [1, 2, 3]"), Sample("2 in [1, 2]", "bool true"),
    Sample("[1] in {'a': 1}", "0..<15 'in' is not defined for (list(int), map(string, int))"),
    Sample("dyn([1]) in {'a': 1}", "bool false"),
    Sample("[1, 2][2]", "error 0..<9: [1, 2][2]: no element 2; the list has 2 elements"),
    Sample("[1][dyn(0.5)]", "error 0..<13: '[]' is not defined for (list, double)"),
    Sample("cel.bind(x, [0.0/0.0], x == x)", "bool false"),
    Sample("{'a': 1}.b", "error 9..<10: {'a': 1}.b: no such field; it has a"),
    Sample("{'a': 1, 'a': 2}", "error 9..<12: the key 'a' appears twice"),
    Sample("{1: 1, dyn(1u): 2}", "error 7..<14: the key '1' appears twice"),
    Sample("{dyn(1.5): 2}", "error 1..<9: a key must be a bool, int, uint or string, not double"),
  ])
  func `lists and maps have their functions`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test(arguments: [
    Sample("math.greatest([1, 2.5, 2u])", "double 2.5"),
    Sample("math.greatest([])", "error 0..<17: the list is empty"),
    Sample("math.least(dyn('a'))", "error 0..<20: 'math.least' is not defined for (string)"),
    Sample("math.round(-1.5)", "double -2.0"),
    Sample("math.abs(-9223372036854775808)", "error 0..<30: int overflow"),
    Sample("math.sign(-0.0)", "double 0.0"), Sample("math.sqrt(81)", "double 9.0"),
    Sample("math.bitShiftRight(-1024, 2)", "int 4611686018427387648"),
    Sample("math.bitShiftLeft(1, 64)", "int 0"),
    Sample("math.bitShiftLeft(1, -1)", "error 0..<24: the shift is negative"),
    Sample("math.bitNot(0u)", "uint 18446744073709551615"),
    Sample(
      "math.isNaN(0.0 / 0.0) && math.isInf(-1.0 / 0.0) && !math.isFinite(1.0 / 0.0)", "bool true"),
    Sample("9223372036854775807 + 1", "error 0..<23: int overflow"),
    Sample("0u - 1u", "error 0..<7: uint overflow"),
    Sample("-9223372036854775808 / -1", "error 0..<25: int overflow"),
    Sample("-9223372036854775808 % -1", "error 0..<25: int overflow"),
    Sample("1 % 0", "error 0..<5: division by zero"),
    Sample("-(-9223372036854775808)", "error 0..<23: int overflow"),
    Sample("-7 / 2", "int -3"), Sample("-7 % 2", "int -1"), Sample("1.0 / 0.0", "double inf"),
    Sample(
      "int(9223372036854775808.0)", "error 0..<26: 9.223372036854776e+18 is out of the range of int"
    ), Sample("int('1_0')", "error 0..<10: '1_0' is not an int"),
    Sample("uint(-1)", "error 0..<8: -1 is out of the range of uint"),
    Sample("uint('-0')", "error 0..<10: '-0' is not a uint"),
    Sample("uint('+1')", "error 0..<10: '+1' is not a uint"), Sample("uint('10')", "uint 10"),
    Sample("double('x')", "error 0..<11: 'x' is not a double"),
    Sample("bool('yes')", "error 0..<11: 'yes' is not a bool"),
    Sample("string(b'\\xff')", "error 0..<15: the bytes are not UTF-8"),
    Sample("string(b'\\xe9\\x80', 'latin1')", "string \"é€\""),
    Sample("string(b'\\xe4', 'Windows-1251')", "string \"д\""),
    Sample("string(b'\\xe4', string(b'cp1251'))", "string \"д\""),
    Sample("string(b'\\xef\\xbb\\xbf\\xc3\\xbc', 'latin1')", "string \"ü\""),
    Sample("string(b'', 'koi8-r')", "string \"\""),
    Sample(
      "string(b'\\xff', 'big5')", "error 0..<23: the bytes are not in the encoding 'big5'"),
    Sample("string(b'a', 'klingon')", "error 0..<23: 'klingon' is not the name of an encoding"),
    Sample("string(1e6)", "string \"1000000\""), Sample("type(type(1))", "type type"),
    Sample("type(null) == null_type", "bool true"),
    Sample("base64.decode('aGVsbG8')", "bytes 5 bytes"),
    Sample("string(base64.decode('aA=='))", "string \"h\""),
    Sample("base64.decode('a')", "error 0..<18: the string is not base64"),
    Sample("base64.decode('a===')", "error 0..<21: the string is not base64"),
    Sample("base64.encode(b'\\xfb\\xff')", "string \"+/8=\""),
  ])
  func `numbers and encodings have their functions`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test(arguments: [
    Sample("optional.none().value()", "error 0..<23: the optional is empty"),
    Sample("optional.of(1).or(optional.of(1 / 0))", "optional optional(1)"),
    Sample("optional.none().orValue(1)", "int 1"), Sample("optional.of(1).orValue(1 / 0)", "int 1"),
    Sample("optional.ofNonZeroValue('').hasValue()", "bool false"),
    Sample("[optional.of(1), optional.none()].unwrapOpt()", "list [1]"),
    Sample("optional.unwrap([optional.of(1)])", "list [1]"),
    Sample("{'a': {'b': 1}}.?a.b.orValue(0)", "int 1"),
    Sample("{'a': 1}[?'b']", "optional optional.none()"),
    Sample("optional.of(2).optMap(x, x * 2)", "optional optional(4)"),
    Sample("optional.of(2).optFlatMap(x, optional.none())", "optional optional.none()"),
    Sample("[?optional.none(), ?optional.of(1)]", "list [1]"),
    Sample("{?'a': optional.none(), ?'b': optional.of(1)}", "map {b: 1}"),
    Sample("has({'a': optional.none()}.?a.b)", "bool false"),
    Sample("dyn(1).hasValue()", "error 0..<17: 'hasValue' is not defined for (int)"),
  ])
  func `optionals have their functions`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }
}
