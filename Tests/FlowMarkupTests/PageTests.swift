import FlowMarkup
import Testing

/// Pages of HTML as they are read, and those that are refused.
@Suite(.timeLimit(.minutes(30)))
struct PageTests {
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

  @Test func `an element has up to a thousand attributes`() throws {
    let attributes = (0..<1_000).map { " a\($0)=\"\($0)\"" }.joined()

    let inXML = try MarkupSearch(xpath: "/a/@a999").find(in: "<a\(attributes)/>").texts
    let inHTML = try MarkupSearch(selector: "p::attr(a999)").find(in: "<p\(attributes)>").texts

    #expect(inXML == ["999"])
    #expect(inHTML == ["999"])
  }

  @Test func `a page with elements in 256 others is read`() throws {
    let page = String(repeating: "<div>", count: 255) + "error"

    #expect(try MarkupSearch(selector: "div > div::text").find(in: page).texts == ["error"])
  }

  @Test(arguments: [
    ("<p>a</p>\0<p>error</p>", ["a", "error"]), ("<p title='\0x'>a</p><p>b", ["a", "b"]),
    ("<p>\0", ["\u{FFFD}"]), ("<!--\0--><script>\0</script><p>b", ["b"]),
  ])
  func `a page is read behind a zero byte`(_ page: String, texts: [String]) throws {
    #expect(try MarkupSearch(selector: "p").find(in: page).texts == texts)
  }

  /// No fault among those that lose nothing.
  @Test(arguments: [
    "<p>a</p></p></b>error", "<p>a</p><!--><p>error", "<p>a</b x><p>error", "<p>a<p b=1 b=2>error",
    "<p>&nope;a</p>error",
    "<p>a</p><!-- x --!>error", "<!DOCTYPE x [<p>error", "<p>a &#0; b</p>error",
    "<p>1 < 2 <3 error",
    "<p>\u{1}</p>error", "<video><p>a</video>error", "<p/ x>error",
  ])
  func `a page with other faults is read`(_ page: String) throws {
    let texts = try MarkupSearch(selector: "::text").find(in: page).texts

    #expect(texts.joined().hasSuffix("error"))
  }

  /// The text of an element that the page leaves open is its own.
  @Test(arguments: [
    ("<script>a", "script", ["a"]), ("<textarea>", "textarea", [""]),
    ("<title>a<p>", "title", ["a<p>"]),
    ("<svg><desc><![CDATA[a", "desc", ["a"]), ("<table><tr><td>a", "td", ["a"]),
    ("<template><p>a", "p", []), ("<template><script>a", "template", [""]),
    ("<select><option>a", "option", ["a"]), ("<p>a <", "p", ["a <"]), ("<p>&am", "p", ["&am"]),
    ("<plaintext>a</p>", "plaintext", ["a</p>"]), ("<!--flow-end-0--><p>a", "p", ["a"]),
    ("<frameset><frame>", "p", []),
  ])
  func `a page may end in any text`(_ page: String, _ selector: String, _ texts: [String]) throws {
    #expect(try MarkupSearch(selector: selector).find(in: page).texts == texts)
  }

  /// Pages for which a reader by the standard takes quadratic time or memory.
  @Test(
    .timeLimit(.minutes(30)),
    arguments: [
      ("<div>", MarkupSearch.Problem.page(.tooDeep, line: 1)),
      ("<a><div><a>", .page(.tooDeep, line: 1)),
      ("<object></div>", .page(.tooDeep, line: 1)), ("<template>", .page(.tooDeep, line: 1)),
    ])
  func `many elements inside of each other take little time`(
    _ tag: String, _ problem: MarkupSearch.Problem
  ) throws {
    #expect(throws: problem) {
      try MarkupSearch(selector: "i").find(in: String(repeating: tag, count: 200_000))
    }
  }

  private static let words = String(repeating: "x y ", count: 2_000)

  @Test(arguments: [
    "<script>if (a<b) { \(words) }</script>", "<style>a<b \(words)</style>",
    "<SCRIPT src=/a.js>a<b \(words)</SCRIPT>", "<!-- \(words)-->", "<a title=\"\(words)\"></a>",
    "<a title = '\(words)'>x</a>", "1 < 2 \(words)", "<?php \(words)?>", "</a \(words)>",
    "<a b=\"'\" c='\"'>\(words)</a>", "<a b=c\"d>\(words)</a>", "<p a=<b>\(words)</p>",
  ])
  func `words outside of tags are no attributes`(_ markup: String) throws {
    let page = markup + "<p id=end>error"

    #expect(try MarkupSearch(selector: "#end").find(in: page).texts == ["error"])
  }

  private static let names = (0..<2_000).map { " a\($0)" }.joined()

  /// Attributes behind whatever one parser takes for a text and another for a tag.
  @Test(arguments: [
    "<!--><script>--><p\(names)>", "<p title='<script>'><p\(names)>", "<p \"x=\"\(names)\">",
    "<?<script><p\(names)>", "<!x <style><p\(names)>", "<script/><p\(names)>",
    "<scripts><p\(names)>", "<textarea><p\(names)></textarea>", "<p x<script ><p\(names)>",
    "<p\(names.replacing(" ", with: "/"))>", "<p\(names.replacing(" ", with: " \""))>",
    "<style></style x><p\(names)>",
  ])
  func `attributes are counted wherever a parser may see them`(_ page: String) throws {
    #expect(throws: MarkupSearch.Problem.attributes(limit: 1_000)) {
      try MarkupSearch(selector: "p").find(in: page)
    }
  }
}
