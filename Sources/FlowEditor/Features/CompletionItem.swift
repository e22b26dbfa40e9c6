internal import FlowSystem

/// A proposal at the cursor.
struct CompletionItem: Hashable {
  /// The kinds of proposals, by their numbers in the protocol.
  enum Kind: Int {
    case method = 2
    case function = 3
    case field = 5
    case variable = 6
    case module = 9
    case property = 10
    case value = 12
    case enumeration = 13
    case keyword = 14
    case snippet = 15
    case file = 17
    case member = 20
    case event = 23
    case type = 25
  }

  let label: String
  let kind: Kind
  var detail = ""
  var documentation = ""
  /// The inserted text, or nil for the label.
  var text: String?
  /// The same with places for the cursor, for clients that know them.
  var snippet: String?

  /// Returns the proposal in the form of the protocol.
  ///
  /// `range` is the replaced start of the word, and `order` its place in the list.
  func json(_ range: EditorRange, order: Int, _ client: ClientCapabilities) -> JSON {
    let usesSnippet = client.takesSnippets && snippet != nil
    let newText = (usesSnippet ? snippet : text) ?? label
    let number = String(order)
    let documentation = documentation.isEmpty ? nil : JSON.string(documentation)
    return .fields([
      "label": .string(label), "kind": .int(kind.rawValue),
      "detail": detail.isEmpty ? nil : .string(detail), "documentation": documentation,
      "sortText": .string(String(repeating: "0", count: max(0, 5 - number.count)) + number),
      "filterText": .string(label), "insertTextFormat": .int(usesSnippet ? 2 : 1),
      "textEdit": .fields(["range": range.json, "newText": .string(newText)]),
    ])
  }
}
