import FlowMarkup
import Testing

@testable import FlowExpression

/// `xml`, `html` and `jwt.decode`.
struct MarkupFunctionTests {
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
      "error 0..<20: the path is not one of XPath 1.0: Undefined namespace prefix"),
    Sample(
      "xml('<a>\\n<b></a>', '//b')",
      "error 0..<26: the text is not XML: line 2: Opening and ending tag mismatch: b line 2 and a"),
    Sample(
      "xml('<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>', '/a')",
      "error 0..<53: the XML declares entities, which are not read"),
  ])
  func `a path finds texts in XML`(_ sample: Sample) {
    #expect(sample.outcome == sample.expected)
  }

  /// A page that is no XML, as most pages.
  private static let page = """
    <title>T</title><ul id=list><li class='a b'>1<li class=b data-x="it's">2<br>
    <li>3 <b>four</b></ul>
    <p lang=en-GB>five<p><a href=/next>six</a><a href='/x.png'></a>
    """

  @Test(arguments: [
    ("li", ["1", "2", "3 four"]), ("LI.b", ["1", "2"]), (".a.b", ["1"]),
    ("#list > li:nth-child(2)", ["2"]),
    ("ul b", ["four"]), ("ul > b", []), ("li + li", ["2", "3 four"]),
    ("li.a ~ li", ["2", "3 four"]),
    ("li:first-child, b", ["1", "four"]), ("li:nth-child(odd)", ["1", "3 four"]),
    ("li:nth-child(-n+2)", ["1", "2"]), ("li:nth-last-child(1)", ["3 four"]),
    ("li:not(.b)", ["3 four"]), ("li:last-of-type::text", ["3 "]),
    ("a::attr(href)", ["/next", "/x.png"]),
    ("[href$='.png']::attr(href)", ["/x.png"]), ("[href^='/n']", ["six"]), ("[lang|=en]", ["five"]),
    ("[class~=b][class]", ["1", "2"]), ("a:empty::attr(href)", ["/x.png"]),
    ("[data-x=\"it's\"]", ["2"]),
    ("p:only-of-type", []), ("title", ["T"]), ("*[href*=\"\"]", []), ("em", []),
  ])
  func `a selector chooses elements of a page`(_ selector: String, texts: [String]) throws {
    let search = try MarkupSearch(selector: selector)

    #expect(try search.texts(in: Self.page).map { $0.replacing("\n", with: "") } == texts)
  }

  @Test(arguments: [
    ("", "an element is missing at the end"), ("a >", "an element is missing at the end"),
    ("a[", "an attribute is missing at position 3"), ("a[x", "'=' is missing at the end"),
    ("a:hover", "':hover' is not known here"), ("a)", "')' at position 2 is not expected"),
    ("a::after", "'::after' is not '::text' or '::attr(name)'"),
    ("li:nth-child(x)", "'x' is not a position such as '2', 'odd' or '2n+1'"),
    (":nth-of-type(2)", "':nth-of-type' needs an element's name"),
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
