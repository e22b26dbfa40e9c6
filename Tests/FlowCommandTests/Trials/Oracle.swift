import FlowCore
import FlowSystem

/// A component that answers by chance: by the letters of a file, one after the other.
actor Oracle: Component {
  static let plugin = Plugin(
    "oracle", version: "1.0", "Answers by chance.", state: .external, reaches: [.network, .files],
    operations: operations
  ) { _ in Oracle() }
  static let operations: [Operation<Oracle>] = [
    Operation("ask", "Answers the next letter, and interrupts at 'x'.", answers: Saying.record) {
      _, context in
      let letters = try FileSystem.contents(
        of: context.directory.fullPath(of: "letters.txt"), limit: 1 << 10)
      try context.directory.write(Array(letters.dropFirst()), to: "letters.txt")
      let letter = String(decoding: letters.prefix(1), as: UTF8.self)
      if letter == "x" {
        unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
        try await context.sleep(for: .seconds(60))
      }
      let usage = Usage(total: 100, price: Decimal(significand: 25, scale: 2))
      return Saying(letter: letter, usage: letter == "-" ? nil : usage)
    }
  ]

  struct Saying: Sendable {
    let letter: String
    let usage: Usage?

    static let record = Record(
      Saying.init(letter:usage:), Field("letter", \.letter, "The letter."),
      Field("usage", \.usage, "What the answer has used."))
  }

  struct Usage: RecordRepresentable {
    let total: Int
    let price: Decimal

    static let record = Record(
      Usage.init(total:price:), Field("total", \.total, "All tokens.", quantity: "tokens"),
      Field("price", \.price, "The price.", quantity: "EUR"))
  }
}
