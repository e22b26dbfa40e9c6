import FlowExpression
import Testing

/// Functions for digests, encodings, parts of patterns and parts of lists.
struct EncodersTests {
  @Test(arguments: [
    Sample("md5('abc')", "string \"900150983cd24fb0d6963f7d28e17f72\""),
    Sample("md5(b'abc') == md5('abc')", "bool true"),
    Sample("sha1('abc')", "string \"a9993e364706816aba3e25717850c26c9cd0d89d\""),
    Sample(
      "sha256(b'')",
      "string \"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\""),
    Sample(
      "hmac('Jefe', b'what do ya want for nothing?')",
      "string \"5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843\""),
    Sample("sha256('é') == sha256(bytes('é'))", "bool true"),
    Sample("base64url.encode(b'\\xfb\\xff')", "string \"-_8\""),
    Sample("base64url.decode('-_8=') == b'\\xfb\\xff'", "bool true"),
    Sample("base64url.decode('+/8=')", "error 0..<24: the string is not base64url"),
    Sample("url.encodePath('a/b c?d=é')", "string \"a%2Fb%20c%3Fd=%C3%A9\""),
    Sample("url.encodeQuery('a/b c&d=1+1')", "string \"a%2Fb%20c%26d%3D1%2B1\""),
    Sample("url.decode('caf%C3%A9+1')", "string \"café+1\""),
    Sample(
      "url.decode('100%')",
      "error 0..<18: the string has a '%' without two hexadecimal digits behind it"),
    Sample("url.decode('%FF')", "error 0..<17: the bytes are not UTF-8"),
    Sample(
      "toJSON({'a': [1, 2.50, null], 'b': 'é'}) == '{\"a\":[1,2.5,null],\"b\":\"é\"}'", "bool true"),
    Sample("json(toJSON([1, {'a': true}])) == [1, {'a': true}]", "bool true"),
  ])
  func `texts and bytes have digests and encodings`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test func `JSON has no infinite number`() {
    let outcome = Sample("toJSON([1.0 / 0.0])", "").outcome

    #expect(outcome.hasPrefix("error "))
  }

  @Test(arguments: [
    Sample("regex.extract('id: 42', '[0-9]+')", "optional optional(\"42\")"),
    Sample("regex.extract('id: 42', 'id: ([0-9]+)')", "optional optional(\"42\")"),
    Sample("regex.extract('id: x', '[0-9]+').hasValue()", "bool false"),
    Sample("regex.extract('b', 'a|(b)').value()", "string \"b\""),
    Sample("regex.extract('a', 'a|(b)').hasValue()", "bool false"),
    Sample("regex.extractAll('a1 b22 c', '[a-z]([0-9]+)')", "list [\"1\", \"22\"]"),
    Sample("regex.extractAll('aé', '')", "list [\"\", \"\", \"\"]"),
    Sample("regex.extractAll('été', 'é')", "list [\"é\", \"é\"]"),
    Sample(
      "regex.extract('a', '(a)(b)')",
      "0..<28 the pattern has more than one capturing group; write the others as '(?:…)'"),
    Sample(
      "regex.extract('a', string(dyn('(a)(b)')))",
      "0..<41 the pattern has more than one capturing group; write the others as '(?:…)'"),
  ])
  func `parts that match a pattern are extracted`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test(arguments: [
    Sample("[1, 2, 3].part(1, 9)", "list [2, 3]"), Sample("[1, 2, 3].part(-2)", "list [2, 3]"),
    Sample("[1, 2, 3].part(0, -1)", "list [1, 2]"), Sample("[1, 2, 3].part(-9, 1)", "list [1]"),
    Sample("[1, 2, 3].part(2, 1)", "list []"), Sample("[].part(0)", "list []"),
    Sample("['b', 'a', 'b'].unique()", "list [\"b\", \"a\"]"),
    Sample("[1, 2, 3].sum()", "int 6"), Sample("[].sum()", "int 0"),
    Sample("[0.5, 0.25].sum()", "double 0.75"),
    Sample("[duration('1s'), duration('2s')].sum() == duration('3s')", "bool true"),
    Sample("[1, dyn('a')].sum()", "error 0..<19: 'sum' is not defined for (list)"),
    Sample("descendants({'a': [1, {'b': 2}]}).size()", "int 5"),
    Sample("descendants(1)", "list [1]"),
    Sample("b'abc'.contains(b'bc')", "bool true"), Sample("b'abc'.startsWith(b'b')", "bool false"),
    Sample("b'abc'.endsWith(b'bc')", "bool true"), Sample("b'a'.endsWith(b'ba')", "bool false"),
    Sample("'aé'.endsWith('é') && 'é'.endsWith('') && !'é'.endsWith('aé')", "bool true"),
  ])
  func `lists and bytes have parts`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }
}
