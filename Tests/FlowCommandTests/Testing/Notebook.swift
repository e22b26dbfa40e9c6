import FlowCore

/// A component whose answers lie in a file, so that they can change between two runs.
actor Notebook: Component {
  static let plugin = Plugin(
    "notebook", version: "1.0", summary: "Reads and writes a file.", state: .external)
  static let operations: [Operation<Notebook>] = [
    Operation("read", "Answers the text.", input: .none, output: Page.record, errors: [.torn]) {
      _, _, context in
      guard let bytes = try? context.directory.read("page.txt") else {
        throw ComponentError(.torn, "there is no page")
      }
      return Page(text: String(decoding: bytes, as: UTF8.self))
    },
    Operation("write", "Replaces the text.", input: Page.record, output: .none) {
      _, page, context in try context.directory.write(Array(page.text.utf8), to: "page.txt")
    },
    Operation("say", "Logs a text.", input: Page.record, output: .none) { _, page, context in
      context.log(page.text)
    },
    Operation("flip", "Fails every other time.", input: .none, output: .none, errors: [.torn]) {
      _, _, context in
      let isTorn = context.directory.contains("torn")
      try context.directory.write(Array((isTorn ? "" : "x").utf8), to: isTorn ? "whole" : "torn")
      if isTorn { throw ComponentError(.torn, "it was torn") }
    },
    Operation("prices", "Answers a map.", input: .none, output: Prices.record) { _, _, _ in
      Prices(prices: ["$a": 1])
    },
    Operation("interrupt", "Cancels the task it is called on.", input: .none, output: .none) {
      _, _, context in
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      try await context.sleep(for: .seconds(60))
    },
  ]

  init(configuration: Void, context: Context) async throws {}
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

extension ErrorCode {
  static let torn = ErrorCode("torn", "The page cannot be read.")
}
