import Testing

@testable import FlowMarkup

/// Documents that are scanned before libxml2 reads them.
struct DocumentScanTests {
  @Test(arguments: [
    "<a b = '>' c=\"'\">x</a >", "<?xml version='1.0'?>\n<!DOCTYPE a>\n<a/>\n<!-- > -->\n<?x?>",
    "<a><![CDATA[<b c c> -- ]]]></a>", "<a><?x <b c ?> -- ?></a>", "<é ü='1'/>", "\u{FEFF}<a/>",
    "<!DOCTYPE a SYSTEM \"y'>\" [<!ELEMENT a (#PCDATA)> <?p '?> <!-- ' -->\n]><a/>",
    "<!DOCTYPE a [<!ATTLIST a b CDATA '>'><!NOTATION n SYSTEM \"<!ENTITY\">] ><a/>",
    "<a\n\tb\r\n=\n'1'\n/>", "<a xmlns='u:x' xmlns:b='u:y'><b:c b:d=''/><b:c/></a>",
    "<a>]]&gt;>'\"</a>",
  ])
  func `a document without a fault is parsed as a whole`(_ document: String) throws {
    var scan = DocumentScan(document)

    #expect(try scan.bytesToParse() == document.utf8.count)
    #expect(try MarkupSearch(xpath: "count(/*)").find(in: document).texts == ["1"])
  }

  private static let rest = String(repeating: "x", count: 1_000)

  @Test(arguments: [
    ("<a><!-- -- --></a>", 10, "Double hyphen within comment: <!-- "),
    ("<a b='<'/>", 6, "Unescaped '<' not allowed in attributes values"),
    ("<a b='1'c='2'/>", 8, "attributes construct error"),
    ("<a b/>", 4, "Specification mandates value for attribute b"),
    ("<a b=1/>", 5, "AttValue: \" or ' expected"),
    ("<a/></a>", 8, "Extra content at the end of the document"),
    ("<a><? x?></a>", 5, "xmlParsePI : no target name"),
    ("<a>\u{1}</a>", 3, "PCDATA invalid Char value 1"),
    ("<a><!-- \u{FFFF} --></a>", 8, "Char 0xFFFF out of allowed range"),
    ("<!DOCTYPE a [<!ELEMENT <a/>]><a/>", 23, "xmlParseElementDecl: no name for Element"),
  ])
  func `a document is parsed up to a fault`(_ start: String, fault: Int, message: String) throws {
    let document = start + Self.rest
    var scan = DocumentScan(document)

    #expect(try scan.bytesToParse() == fault + 64)
    #expect(throws: MarkupSearch.Problem.document(message, line: 1)) {
      try MarkupSearch(xpath: "/a").find(in: document)
    }
  }

  @Test(
    .timeLimit(.minutes(30)),
    arguments: [("<!-- ", "<!"), ("--x", ""), ("--!", ""), ("<!--->", "<!"), ("<!--x--!>", "<!")])
  func `a broken comment takes no longer than another`(_ unit: String, quoted: String) throws {
    let document = "<a><!--x" + String(repeating: unit, count: 1_000_000) + "--></a>"

    #expect(
      throws: MarkupSearch.Problem.document(
        "Double hyphen within comment: <!--x" + quoted, line: 1)
    ) {
      try MarkupSearch(xpath: "/a").find(in: document)
    }
  }

  @Test(arguments: ["<a>x</a>\0error", "<a>\0</a>", "<a b='\0'/>", "\0"])
  func `a zero byte is no end of a document`(_ document: String) throws {
    #expect(throws: MarkupSearch.Problem.document("Char 0x0 out of allowed range", line: 2)) {
      try MarkupSearch(xpath: "/a").find(in: "\n" + document)
    }
  }
}
