import Testing

@testable import FlowImport

/// Paths of XPath as selectors.
@Suite struct HurlXPathTests {
  static let selectors: [(path: String, selector: String?)] = [
    ("//a", "a"), ("//*", "*"), ("//ul/li", "ul > li"), ("//ul//b", "ul b"),
    ("/html/body//p", "html > body p"), ("/a/b", nil), ("a", nil), ("", nil),
    ("//a[@href]", "a[href]"), ("//a[@rel='next']", #"a[rel="next"]"#),
    ("//a[ @rel = \"next\" ]/b", #"a[rel="next"] > b"#),
    ("//p[contains(@class, 'old')]", #"p[class*="old"]"#),
    ("//p[contains(@class)]", nil), ("//p[1]", nil), ("//p[@a='\"']", nil), ("//p[@a='b", nil),
    ("//a/@href", "a::attr(href)"), ("//p/text()", "p::text"), ("//p//text()", nil),
    ("//a/@href/x", nil), ("//svg:a", nil), ("//a | //b", nil), ("//a/..", nil),
  ]

  @Test(arguments: selectors)
  func `a path is the selector that says the same, or none`(_ path: String, _ selector: String?) {
    #expect(HurlXPath.selector(of: path[...]) == selector)
  }
}
