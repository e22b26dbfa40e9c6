import Testing

@testable import CatalogPlugin

@Suite struct CatalogModelTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let start: Int
    let length: Int
    let expected: String

    var testDescription: String { id }
  }

  static let cases = [
    Case(id: "the first page", start: 0, length: 3, expected: "0 1 2 of 7"),
    Case(id: "a page between", start: 3, length: 3, expected: "3 4 5 of 7"),
    Case(id: "a short last page", start: 6, length: 3, expected: "6 of 7, end"),
    Case(id: "a full last page", start: 4, length: 3, expected: "4 5 6 of 7, end"),
    Case(id: "everything", start: 0, length: .max, expected: "0 1 2 3 4 5 6 of 7, end"),
    Case(id: "no rows", start: 2, length: 0, expected: " of 7"),
    Case(id: "no rows at the end", start: 7, length: 0, expected: " of 7, end"),
    Case(id: "a start at the end", start: 7, length: 3, expected: " of 7, end"),
    Case(id: "a start far beyond", start: .max, length: .max, expected: " of 7, end"),
    Case(id: "a negative start", start: -1, length: 3, expected: "start -1 is negative"),
    Case(id: "a negative length", start: 9, length: -20, expected: "length -20 is negative"),
  ]

  @Test(arguments: cases)
  func `a page holds the rows that exist`(_ example: Case) {
    let model = CatalogModel(items: (0..<7).map(item))

    #expect(text(model, example.start, example.length) == example.expected)
  }

  @Test func `an empty catalog is one empty page`() {
    #expect(text(CatalogModel(items: []), 0, 20) == " of 0, end")
  }

  @Test func `pages one after another hold each row once`() throws {
    let model = CatalogModel(items: (0..<57).map(item))
    var titles: [String] = []
    var pages = 0

    var isAtEnd = false
    while !isAtEnd {
      let page = try model.page(start: pages * 20, length: 20)
      titles += page.items.map(\.title)
      isAtEnd = page.end
      pages += 1
    }

    #expect(titles == (0..<57).map(String.init))
    #expect(pages == 3)
  }

  private func item(_ number: Int) -> Item {
    Item(title: "\(number)", city: "", state: "", image: "")
  }

  private func text(_ model: CatalogModel, _ start: Int, _ length: Int) -> String {
    do {
      let page = try model.page(start: start, length: length)
      let titles = page.items.map(\.title).joined(separator: " ")
      return "\(titles) of \(page.total)" + (page.end ? ", end" : "")
    } catch {
      return "\(error)"
    }
  }
}
