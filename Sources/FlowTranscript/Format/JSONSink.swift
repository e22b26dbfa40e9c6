internal import FlowSystem

/// Takes the parts of one JSON value after another: text as a `JSONWriter`, or a tree.
protocol JSONSink {
  /// Begins an object; names and values follow in turn.
  mutating func beginObject()
  /// Ends the object that was begun last.
  mutating func endObject()
  /// Begins an array; its elements follow.
  mutating func beginArray()
  /// Ends the array that was begun last.
  mutating func endArray()
  /// Takes a member's name; its value must follow.
  mutating func name(_ name: String)
  /// Takes `null`.
  mutating func null()
  /// Takes `true` or `false`.
  mutating func bool(_ value: Bool)
  /// Takes a number as the text says it.
  mutating func number(_ text: String)
  /// Takes a text.
  mutating func string(_ text: String)
  /// Takes a whole tree.
  mutating func value(_ json: JSON)
}

extension JSONWriter: JSONSink {}

/// Builds a tree from its parts.
struct JSONTree: JSONSink {
  /// An array or object whose end has not come.
  private struct Collection {
    var names: [String] = []
    var elements: [JSON] = []
  }

  /// The value that was completed last; null at first.
  private(set) var json = JSON.null
  private var open: [Collection] = []

  mutating func beginObject() { open.append(Collection()) }

  mutating func endObject() {
    guard let object = open.popLast() else { return }
    value(.object(zip(object.names, object.elements).map { JSON.Member($0, $1) }))
  }

  mutating func beginArray() { open.append(Collection()) }

  mutating func endArray() {
    if let array = open.popLast() { value(.array(array.elements)) }
  }

  mutating func name(_ name: String) { open[open.count - 1].names.append(name) }

  mutating func null() { value(.null) }

  mutating func bool(_ value: Bool) { self.value(.bool(value)) }

  mutating func number(_ text: String) { value(.number(text)) }

  mutating func string(_ text: String) { value(.string(text)) }

  mutating func value(_ json: JSON) {
    if open.isEmpty { self.json = json } else { open[open.count - 1].elements.append(json) }
  }
}
