import FlowCore

/// An external component that refuses the string in a file.
struct Desk: Component {
  static let plugin = Plugin(
    "desk", version: "1.0", "Adds texts to a file.", state: .external, reaches: [.files],
    operations: [
      Operation(
        "add", "Adds a text.", Parameter<String>("text", "The text."),
        answers: Record<Int>("number", "The length of the text.")
      ) { _, context, text in
        if try String(decoding: context.directory.read("refused"), as: UTF8.self) == text {
          throw ComponentError(.unexpected, "it is refused")
        }
        try context.directory.append(Array("\(text)\n".utf8), to: "added")
        return text.utf8.count
      }
    ]
  ) { _ in Desk() }
}

/// A component in memory that adds each string twice to another one.
struct Office: Component {
  private static let add = Role("desk", "Keeps the texts.").call(
    "add", Parameter<String>("text", "The text."), answers: Record<Int>("number", "Its length."))
  static let plugin = Plugin(
    "office", version: "1.0", "Adds texts twice.", state: .memory, uses: [add],
    operations: [
      Operation(
        "file", "Adds a text twice.", Parameter<String>("text", "The text."),
        answers: Record<Int>("number", "The length of both.")
      ) { _, context, text in
        let first = try await add(text + "/1", in: context)
        return first + (try await add(text + "/2", in: context))
      }
    ]
  ) { _ in Office() }
}
