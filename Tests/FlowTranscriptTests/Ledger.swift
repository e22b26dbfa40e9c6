import FlowCore

/// A component with external state, whose calls are not safe to repeat.
struct Ledger: Component {
  static let plugin = Plugin(
    "ledger", version: "1", "Writes lines into a file.", state: .external,
    reaches: [.files], settings: settings, operations: operations
  ) { context, settings in try Ledger(configuration: settings, context: context) }
  static let settings = Record(
    Settings.init(isClosed:), Field("closed", \.isClosed, "Refuses to open.", default: false))
  static let operations: [Operation<Ledger>] = [
    Operation(
      "append", "Adds a line.", input: Line.record, answers: Count.record, retry: { $0.safety }
    ) {
      ledger, context, line in
      let lines = ledger.text + line.text + "\n"
      try ledger.directory.write(Array(lines.utf8), to: "ledger.txt")
      return Count(lines: lines.utf8.count { $0 == 0x0A })
    }
  ]

  private let directory: Directory

  init(configuration: Settings, context: Context) throws {
    if configuration.isClosed || context.directory.contains("closed") {
      throw ComponentError(.unexpected, "the ledger is closed")
    }
    directory = context.directory
  }

  private var text: String {
    let bytes = (try? directory.read("ledger.txt")) ?? []
    return String(decoding: bytes, as: UTF8.self)
  }

  struct Settings: Sendable {
    let isClosed: Bool
  }

  struct Line: Sendable {
    let text: String
    static let record = Record(Line.init(text:), Field("text", \.text, "The line."))
    /// The last line may be there twice.
    var safety: RetrySafety { text == "last" ? .safe : .never }
  }

  struct Count: Sendable {
    let lines: Int
    static let record = Record(Count.init(lines:), Field("lines", \.lines, "All lines."))
  }
}
