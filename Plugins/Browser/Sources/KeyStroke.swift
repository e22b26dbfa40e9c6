import FlowCore

/// A key with its modifiers, such as `Shift+Tab`.
struct KeyStroke: Sendable {
  /// The codes of the keys in the order of pressing, from
  /// https://www.w3.org/TR/webdriver2/#keyboard-actions.
  private let codes: [String]

  private static let modifiers = [
    "Shift": "\u{e008}", "Control": "\u{e009}", "Alt": "\u{e00a}", "Meta": "\u{e03d}",
  ]
  private static let named = [
    "Enter": "\u{e007}", "Tab": "\u{e004}", "Escape": "\u{e00c}", "Backspace": "\u{e003}",
    "Delete": "\u{e017}", "Space": " ", "Insert": "\u{e016}", "Home": "\u{e011}",
    "End": "\u{e010}", "PageUp": "\u{e00e}", "PageDown": "\u{e00f}", "ArrowLeft": "\u{e012}",
    "ArrowUp": "\u{e013}", "ArrowRight": "\u{e014}", "ArrowDown": "\u{e015}",
  ]

  /// Parses a key, or returns nil for any other string.
  init?(_ text: String) {
    var parts = text.split(separator: "+").map(String.init)
    if text.hasSuffix("+") { parts.append("+") }
    guard let key = parts.popLast() else { return nil }
    let held = parts.compactMap { Self.modifiers[$0] }
    let plain = key.unicodeScalars.count == 1 ? key : nil
    guard held.count == parts.count, Set(held).count == held.count,
      let code = Self.named[key] ?? Self.modifiers[key] ?? plain, !held.contains(code)
    else { return nil }
    codes = held + [code]
  }

  /// The parameters of the command `actions`.
  var actions: KeyValuePairs<String, Value> {
    let strokes =
      codes.map { Self.action("keyDown", $0) } + codes.reversed().map { Self.action("keyUp", $0) }
    let keyboard = Value.object([
      "type": .string("key"), "id": .string("keyboard"), "actions": .list(strokes),
    ])
    return ["actions": .list([keyboard])]
  }

  private static func action(_ type: String, _ code: String) -> Value {
    .object(["type": .string(type), "value": .string(code)])
  }
}
