import FlowCore
import FlowSystem

/// A component with its answers in a file, so that they can change between two runs.
actor Notebook: Component {
  static let plugin = Plugin(
    "notebook", version: "1.0", "Reads and writes a file.", state: .external,
    reaches: [.files], operations: operations
  ) { _ in Notebook() }
  static let operations: [Operation<Notebook>] = [
    Operation("read", "Answers the text.", answers: Page.record, errors: [.torn]) {
      _, context in
      guard let bytes = try? context.directory.page("page.txt") else {
        throw ComponentError(.torn, "there is no page")
      }
      return Page(text: String(decoding: bytes, as: UTF8.self))
    },
    Operation("price", "Answers another text.", answers: Page.record, errors: [.torn]) {
      _, context in
      guard let bytes = try? context.directory.page("price.txt") else {
        throw ComponentError(.torn, "there is no price")
      }
      return Page(text: String(decoding: bytes, as: UTF8.self))
    },
    Operation(
      "request", "Answers the text as a header, a body and its size.", answers: Reply.record
    ) {
      _, context in
      let text = String(decoding: try context.directory.page("page.txt"), as: UTF8.self)
      return Reply(text)
    },
    Operation("write", "Replaces the text.", input: Page.record, answers: .none) {
      _, context, page in try context.directory.write(Array(page.text.utf8), to: "page.txt")
    },
    Operation("say", "Logs a text.", input: Page.record, answers: .none) { _, context, page in
      context.log(page.text)
    },
    Operation("flip", "Fails every other time.", answers: .none, errors: [.torn]) {
      _, context in
      let isTorn = context.directory.contains("torn")
      try context.directory.write(Array((isTorn ? "" : "x").utf8), to: isTorn ? "whole" : "torn")
      if isTorn { throw ComponentError(.torn, "it was torn") }
    },
    Operation("prices", "Answers a map.", answers: Prices.record) { _, _ in
      Prices(prices: ["$a": 1])
    },
    Operation("interrupt", "Cancels the task it is called on.", answers: .none) {
      _, context in
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      try await context.sleep(for: .seconds(60))
    },
  ]

}

extension Notebook {
  struct Page: Sendable {
    let text: String
    static let record = Record(Page.init(text:), Field("text", \.text, "The text."))
  }
}

extension Notebook {
  struct Prices: Sendable {
    let prices: [String: Int]
    static let record = Record(
      Prices.init(prices:), Field("prices", \.prices, "The prices by name."))
  }
}

extension Directory {
  /// The content of a page of a service, which is no file of the project.
  fileprivate func page(_ name: String) throws -> [UInt8] {
    try FileSystem.contents(of: try fullPath(of: name), limit: 1 << 20)
  }
}

extension ErrorCode {
  static let torn = ErrorCode("torn", "The page cannot be read.")
}

extension Notebook {
  /// A response of three words: the header `tag`, the header `kind`, and the body.
  ///
  /// A body that is a number has a value.
  struct Reply: Sendable {
    let headers: [String: String]
    let text: String
    let number: Int?

    static let record = Record(
      Reply.init(headers:text:number:),
      Field("headers", \.headers, "The headers.", compared: .whenRead),
      Field("text", \.text, "The body.", compared: .whenReadBeside("number")),
      Field("number", \.number, "The body as a number."))

    private init(headers: [String: String], text: String, number: Int?) {
      (self.headers, self.text, self.number) = (headers, text, number)
    }

    init(_ text: String) {
      let words = text.split(separator: " ").map(String.init)
      self.init(
        headers: ["tag": words[0], "kind": words[1]], text: words[2],
        number: Int(words[2].prefix { $0 != "." }))
    }
  }
}
