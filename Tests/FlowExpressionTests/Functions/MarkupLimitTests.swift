import FlowExpression
import Testing

/// Documents that `xml` and `html` refuse, because they take too long or cannot be read to the end.
@Suite(.timeLimit(.minutes(30)))
struct MarkupLimitTests {
  private static let attributes = "lists.range(1001).map(i, ' a' + string(i) + '=\"1\"').join()"
  private static let spaces =
    "lists.range(257).map(i, ' xmlns:a' + string(i) + '=\"u\"').join()"
  private static let tooMany = "an element has more than 1000 attributes"
  private static let tooManySpaces =
    "an element of the XML is in the scope of more than 256 namespaces"
  private static let tooDeep = cut + "an element is inside of more than 256 others"
  private static let cut = "the page cannot be read to its end: line 1: "

  private static let refused: [(source: String, message: String)] = [
    ("xml('<a' + @@attributes + '/>', '/a')", tooMany),
    ("xml('<!-- <b> --><a>' + '<b' + @@attributes + '></b></a>', '/a')", tooMany),
    ("html('<p' + @@attributes + '>x', 'p')", tooMany),
    ("xml('<a' + @@spaces + '/>', '/a')", tooManySpaces),
    ("xml(lists.range(200).map(i, '<a xmlns=\"\" xmlns:p=\"u\">').join(), '/a')", tooManySpaces),
    (
      "xml('<!DOCTYPE a [' + lists.range(9000).map(i, '<!ELEMENT abc (u, v, w, x, y, z)>').join()"
        as String + " + ']><a/>', '/a')",
      "the document type of the XML is longer than 256 KiB"
    ),
    (
      "xml('<!DOCTYPE a [<!ATTLIST a ' + lists.range(6000).map(i, 'a' + string(i)"
        as String + " + ' CDATA \"1\"\\n').join() + '>]><a>' + lists.range(900).map(i, '<a/>')"
        as String + ".join() + '</a>', '/a')",
      "the XML declares attributes for too many elements"
    ),
    ("html(lists.range(256).map(i, '<div>').join() + 'error', 'div')", tooDeep),
    ("html('<p>a</p><!-- > error', 'p')", cut + "a comment is not closed"),
    (
      "html('<p>a</p><a href=\"x>y</a> error', 'p')",
      cut + "an attribute's value has no closing quote"
    ),
    ("html('<p>a</p><a href error', 'p')", cut + "a tag is not closed"),
    ("html('<p>a</p><p title=a', 'p')", cut + "a tag is not closed"),
    ("html('<p>a</p></p error', 'p')", cut + "a tag is not closed"),
    ("html('<p>a</p><?error', 'p')", cut + "a comment is not closed"),
    ("html('<!--flow-end-0--><p>a</p><a href error', 'p')", cut + "a tag is not closed"),
    ("html(lists.range(260).map(i, '<p><b a=' + string(i) + '></p>').join(), 'p')", tooDeep),
  ]

  @Test(arguments: refused)
  func `a document over a limit is refused`(_ template: String, message: String) {
    let source = template.replacing("@@attributes", with: Self.attributes)
      .replacing("@@spaces", with: Self.spaces)
    let outcome = Sample(source, "").outcome

    #expect(outcome == "error 0..<\(source.utf8.count): \(message)")
  }
}
