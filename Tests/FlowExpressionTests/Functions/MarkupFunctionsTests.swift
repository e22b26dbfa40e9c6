import FlowExpression
import Testing

/// `xml`, `html` and `jwt.decode`.
struct MarkupFunctionsTests {
  @Test(arguments: [
    Sample("xml('<a><b>1</b><b>2</b></a>', '//b')", "list [\"1\", \"2\"]"),
    Sample("xml('<a x=\"é\"/>', '/a/@x')", "list [\"é\"]"),
    Sample("xml('<a><b/><b/></a>', 'count(//b)')", "list [\"2\"]"),
    Sample("xml('<a/>', 'boolean(//b)')", "list [\"false\"]"),
    Sample("xml('<a/>', '//b')", "list []"),
    Sample("xml('<a xmlns=\"u:x\"><b>1</b></a>', '//b')", "list []"),
    Sample("xml('<a xmlns=\"u:x\"><b>1</b></a>', '//_:b')", "list [\"1\"]"),
    Sample("xml('<p:a xmlns:p=\"u:x\"><p:b>1</p:b></p:a>', '//p:b')", "list [\"1\"]"),
    Sample("xml('<a><![CDATA[<b>]]></a>', '/a')", "list [\"<b>\"]"),
    Sample("xml('<a>&lt;&#233;</a>', '/a')", "list [\"<é\"]"),
    Sample(
      "xml('<a/>', '//[')", "0..<18 the path is not one of XPath 1.0: Invalid expression"),
    Sample(
      "xml('<a/>', string(dyn('//[')))",
      "0..<31 the path is not one of XPath 1.0: Invalid expression"),
    Sample(
      "xml('<a/>', '//q:b')",
      "error 0..<20: the prefix 'q' of the path is not declared in the document, which declares none"
    ),
    Sample(
      "xml('<a:b xmlns:a=\"u:1\"><c:d xmlns:c=\"u:2\" x=\"1\"><e xmlns=\"u:3\">2</e></c:d></a:b>',"
        + " 'string(//c:d/@x)')", "list [\"1\"]"),
    Sample(
      "xml('<a:b xmlns:a=\"u:1\"><c:d xmlns:c=\"u:2\"><e xmlns=\"u:3\">2</e></c:d></a:b>', '//a:*//_:e')",
      "list [\"2\"]"),
    Sample(
      "xml('<a><b:c xmlns:b=\"u:1\">1</b:c><b:c xmlns:b=\"u:2\">2</b:c></a>', '//b:c')",
      "list [\"1\"]"),
    Sample(
      "xml('<a:b xmlns:a=\"u:1\" xmlns=\"u:0\"><c xmlns:d=\"u:2\" xmlns:a=\"u:1\"/></a:b>',"
        + " '//d:e[. = \"x:y\"]/child::f:g')",
      "error 0..<107: the prefix 'f' of the path is not declared in the document,"
        + " which declares 'a', '_', 'd'"),
    Sample(
      "xml('<a>\\n<b></a>', '//b')",
      "error 0..<26: the text is not XML: line 2: Opening and ending tag mismatch: b line 2 and a"),
    Sample(
      "xml('<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>', '/a')",
      "error 0..<53: the XML declares entities, which are not read"),
    Sample(
      "xml('<!DOCTYPE a SYSTEM \"<x\" [<!--\\'-->\\n<!ENTITY x \"y\">]><a/>', '/a')",
      "error 0..<70: the XML declares entities, which are not read"),
    Sample(
      "xml('<!--<!ENTITY--><?x <!ENTITY?><a><![CDATA[<!ENTITY x>]]></a>', '/a')",
      "list [\"<!ENTITY x>\"]"),
    Sample(
      "xml('<!DOCTYPE a SYSTEM \"a.dtd\"><a>x&copy;y</a>', '/a')",
      "error 0..<55: the text is not XML: line 1: Entity 'copy' not defined"),
    Sample(
      "xml('<!DOCTYPE a SYSTEM \"a.dtd\">\\n<a><x:b/><c d=\"&e;\"/></a>', '/a')",
      "error 0..<67: the text is not XML: line 2: Entity 'e' not defined"),
    Sample("xml('<a><x:b>1</x:b></a>', '/a')", "list [\"1\"]"),
    Sample("xml('', '//b')", "error 0..<14: the text is not XML: line 1: it is empty"),
    // Each of the elements counts those before it.
    Sample(
      "xml('<a>' + lists.range(12000).map(i, '<b/>').join() + '</a>',"
        + " '//b[count(preceding-sibling::*) = 1]').size()",
      "error 0..<102: the evaluation takes too many steps"),
  ])
  func `a path finds texts in XML`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  @Test(arguments: [
    ("", "an element is missing at the end"), ("a >", "an element is missing at the end"),
    ("a[", "an attribute is missing at position 3"), ("a[x", "'=' is missing at the end"),
    ("a:hover", "':hover' is not known here"), ("a)", "')' at position 2 is not expected"),
    ("a::after", "'::after' is not '::text' or '::attr(name)'"),
    ("li:nth-child(x)", "'x' is not a position such as '2', 'odd' or '2n+1'"),
    ("li:nth-child(2 3)", "'2 3' is not a position such as '2', 'odd' or '2n+1'"),
    ("li:nth-child(2n 3)", "'2n 3' is not a position such as '2', 'odd' or '2n+1'"),
    ("li:nth-child(2n + +3)", "'2n + +3' is not a position such as '2', 'odd' or '2n+1'"),
    ("a[2b]", "an attribute is missing at position 3"),
    ("a::attr(2b)", "an attribute is missing at position 9"),
    ("a:not(b:not(c))", "':not' is inside of ':not'"),
    (String(repeating: ":not(", count: 2_600), "':not' is inside of ':not'"),
    (String(repeating: "a,", count: 8_001), "it is too long, or has a zero byte"),
    ("a[x!=y]", "an attribute has '=', '~=', '|=', '^=', '$=' or '*='"),
  ])
  func `what is no selector is refused before the run`(_ selector: String, reason: String) {
    let outcome = Sample("html('', '\(selector)')", "").outcome

    #expect(outcome.hasSuffix("not a selector of CSS: \(reason)"))
  }

  @Test(arguments: [
    Sample("html('', 'p')", "list []"),
    Sample("html('<p>a<p>b', 'p')[1]", "string \"b\""),
    Sample("html('<p>' + 'x', 'p').size()", "int 1"),
    Sample(
      "jwt.decode('e30.eyJzdWIiOiJhbm4iLCJuIjoyfQ.').payload == {'sub': 'ann', 'n': 2}",
      "bool true"),
    Sample("jwt.decode('eyJhbGciOiJub25lIn0.e30.c2ln').header.alg", "string \"none\""),
    Sample(
      "jwt.decode('a.b')",
      "error 0..<17: the string is not a JSON Web Token: three parts with points between"
    ),
    Sample("jwt.decode('e30.MQ.')", "error 0..<21: the payload of the token is not a JSON object"),
    Sample("jwt.decode('eA.e30.')", "error 0..<21: the header of the token is not a JSON object"),
  ])
  func `pages and tokens have parts`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }
}
