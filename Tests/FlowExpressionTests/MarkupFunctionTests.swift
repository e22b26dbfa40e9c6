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

    #expect(try search.find(in: Self.page).texts.map { $0.replacing("\n", with: "") } == texts)
  }

  @Test(arguments: [
    ("p:empty::attr(id)", ["c", "n"]), ("p::attr(ID)", ["c", "t", "n"]), ("[ID=t]", ["text"]),
    ("div::text", ["a", "e"]), ("div ::text", ["b", "c", "d"]), ("div > ::text", ["b", "d"]),
    ("::text", ["text", "a", "b", "c", "d", "e"]),
    ("i::text, div::text", ["a", "c", "e"]), ("p, p::attr(id)", ["", "c", "text", "t", "", "n"]),
    ("p:nth-child( 2n + 1 )::attr(id)", ["c", "n"]), ("p:nth-child(+3)::attr(id)", ["n"]),
    ("p:nth-child(-2n+3)::attr(id)", ["c", "n"]), ("body > :nth-of-type(2)::attr(id)", ["t"]),
    ("p:not(:nth-child(2)) + *::attr(id)", ["t"]), ("#c ~ div > *", ["bc", "d"]),
    ("div > b:only-of-type, div > :last-child", ["bc", "d"]), ("div b i", ["c"]), ("p ~ p i", []),
  ])
  func `a selector means what CSS means`(_ selector: String, texts: [String]) throws {
    let page =
      "<p id=c><!--comment--></p><p id=t>text</p><p id=n></p>"
      + "<div>a<b>b<i>c</i></b><u>d</u>e</div>"

    #expect(try MarkupSearch(selector: selector).find(in: page).texts == texts)
  }

  /// The tree of the standard (HTML, sections 13.2.6 and 4.16.2).
  @Test(arguments: [
    ("<table><tr><td>1</table>", "table > tbody > tr > td", ["1"]),
    ("<table><tr><td>1</table>", "table > tr", []),
    ("<table>a<tr><td>1</table>b", "body::text", ["a", "b"]),
    ("<tr><td>1", "td", []), ("<p>a<div>b</div>c", "p", ["a"]), ("<p>a</p>b</p>", "p", ["a", ""]),
    ("<form id=a><form id=b></form>", "form::attr(id)", ["a"]),
    ("<b>1<p>2</b>3</p>", "p > b", ["2"]), ("<b>1<p>2</b>3</p>", "p", ["23"]),
    ("<template><i>t</i></template><i>u</i>", "i", ["u"]),
    ("<template><i>t</i></template>", "template:empty", [""]),
    ("<input TYPE=\"HIDDEN\" name=a value=v>", "input[type=hidden]::attr(value)", ["v"]),
    ("<input type=hidden value=v>", "[type^=HID]::attr(value)", ["v"]),
    ("<a Rel='Next x'>a</a>", "[rel~=NEXT]", ["a"]), ("<a id=X>a</a>", "[id=x]", []),
    ("<X-Card>a</X-Card>", "x-card", ["a"]), ("<svg><linearGradient>a", "lineargradient", ["a"]),
    ("<image src=a>", "img::attr(src)", ["a"]), ("<li>a<li>b", "li + li", ["b"]),
    ("a<noscript><p>b</p></noscript>", "noscript p", ["b"]),
    ("<textarea>\n<p>a", "textarea", ["<p>a"]), ("<p>&notit; &amp", "p", ["¬it; &"]),
  ])
  func `a page is read as browsers read it`(
    _ page: String, _ selector: String, texts: [String]
  ) throws {
    #expect(try MarkupSearch(selector: selector).find(in: page).texts == texts)
  }

  @Test(
    .timeLimit(.minutes(30)),
    arguments: [
      ("li:nth-child(2n)", 15_000), ("li:not(:nth-last-of-type(3n+1))", 20_000),
      ("li + li", 29_999), ("li ~ li", 29_999),
      ("li:nth-child(2) ~ li:nth-last-child(n+2)", 29_997), ("ul li i", 0),
      ("li:last-child", 1), ("li:only-child", 0),
    ])
  func `many elements beside each other take little time`(_ selector: String, count: Int) throws {
    let page = "<ul>" + String(repeating: "<li>x</li>", count: 30_000)

    #expect(try MarkupSearch(selector: selector).find(in: page).texts.count == count)
  }

  @Test func `a page takes no more steps than are left`() throws {
    let selector = Array(repeating: "a", count: 5_000).joined(separator: ",")

    #expect(throws: MarkupSearch.Problem.tooManySteps) {
      try MarkupSearch(selector: selector)
        .find(in: String(repeating: "<b></b>", count: 14_000))
    }
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
