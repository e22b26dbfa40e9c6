import FlowMarkup
import Testing

/// Elements that a selector of CSS chooses from a page.
struct SelectorTests {
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
}
