import Testing

@testable import CatalogPlugin

@Suite struct PageTests {
  @Test(
    arguments: [
      ("the first page", 0, 3, "0 1 2 of 7"),
      ("a page between", 3, 3, "3 4 5 of 7"),
      ("a short last page", 6, 3, "6 of 7, end"),
      ("a full last page", 4, 3, "4 5 6 of 7, end"),
      ("everything", 0, .max, "0 1 2 3 4 5 6 of 7, end"),
      ("no rows", 2, 0, " of 7"),
      ("no rows at the end", 7, 0, " of 7, end"),
      ("a start at the end", 7, 3, " of 7, end"),
      ("a start far beyond", .max, .max, " of 7, end"),
      ("a negative start", -1, 3, "illegal: start -1 is negative"),
      ("a negative length", 9, -20, "illegal: length -20 is negative"),
    ] as [(String, Int, Int, String)])
  func `a page holds the rows that exist`(
    _ id: String, start: Int, length: Int, expected: String
  ) {
    #expect(text(7, start, length) == expected)
  }

  @Test func `an empty catalog is one empty page`() {
    #expect(text(0, 0, 20) == " of 0, end")
  }

  /// The page's titles and total, of a catalog with so many rows.
  private func text(_ count: Int, _ start: Int, _ length: Int) -> String {
    let items = (0..<count).map { Item(title: "\($0)", city: "", state: "", image: "") }
    do {
      let page = try Page(of: items, start: start, length: length)
      let titles = page.items.map(\.title).joined(separator: " ")
      return "\(titles) of \(page.total)" + (page.end ? ", end" : "")
    } catch {
      return "\(error)"
    }
  }
}
