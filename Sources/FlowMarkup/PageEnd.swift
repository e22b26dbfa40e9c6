/// A comment behind the end of a page, by which the reader shows that it has read all of it.
///
/// Where a tag or a comment is still open, the standard drops it with all that follows, without a
/// word. The comment is in no tree then. In a script or a text area it is text.
final class PageEnd {
  private let name: String
  private var isFound = false
  /// The line of the comment that has no end, or nil.
  private var openComment: Int?

  /// Creates the end of a page that does not have the same comment.
  init(notIn page: String) {
    var number = 0
    while page.utf8.firstRange(of: "flow-end-\(number)".utf8) != nil { number += 1 }
    name = "flow-end-\(number)"
  }

  var markup: String { "<!--\(name)-->" }

  func note(comment: String, line: Int) {
    if comment == name {
      isFound = true
    } else if comment.utf8.firstRange(of: name.utf8) != nil {
      openComment = line
    }
  }

  /// Notes the text of a node, and returns true if it has nothing before the end.
  func note(text: String) -> Bool {
    guard hasEnd(text) else { return false }
    isFound = true
    return text.utf8.count == markup.utf8.count
  }

  /// Returns a text without the end.
  func removed(from text: String) -> String {
    hasEnd(text) ? String(decoding: text.utf8.dropLast(markup.utf8.count), as: UTF8.self) : text
  }

  private func hasEnd(_ text: String) -> Bool {
    text.utf8.last == UInt8(ascii: ">")
      && text.utf8.suffix(markup.utf8.count).elementsEqual(markup.utf8)
  }

  /// The reason and the line of the lost end, or nil without a loss.
  func loss(_ scan: PageScan) -> (reason: PageLoss, line: Int)? {
    if isFound { return nil }
    if let openComment { return (.openComment, openComment) }
    return (scan.endsInValue ? .openValue : .openTag, scan.lineOfOpenTag)
  }
}
