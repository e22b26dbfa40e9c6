/// Takes the parts of one JSON value after another: text as a `JSONWriter`, or a tree.
package protocol JSONSink {
  /// Starts an object, before its names and values in turn.
  mutating func beginObject()
  /// Ends the latest object.
  mutating func endObject()
  /// Starts an array, before its elements.
  mutating func beginArray()
  /// Ends the latest array.
  mutating func endArray()
  /// Takes a member's name, before its value.
  mutating func name(_ name: String)
  /// Takes `null`.
  mutating func null()
  /// Takes `true` or `false`.
  mutating func bool(_ value: Bool)
  /// Takes a number as the text says it.
  mutating func number(_ text: String)
  /// Takes a string.
  mutating func string(_ text: String)
  /// Takes a whole tree.
  mutating func value(_ json: JSON)
}

extension JSONWriter: JSONSink {}

/// Builds a tree from its parts.
package struct JSONTree: JSONSink {
  /// An array or object without its end so far.
  private struct Collection {
    var names: [String] = []
    var elements: [JSON] = []
  }

  /// The last complete value, initially null.
  package private(set) var json = JSON.null
  private var open: [Collection] = []

  /// Creates a builder without parts.
  package init() {}

  package mutating func beginObject() { open.append(Collection()) }

  package mutating func endObject() {
    guard let object = open.popLast() else { return }
    value(.object(zip(object.names, object.elements).map { JSON.Member($0, $1) }))
  }

  package mutating func beginArray() { open.append(Collection()) }

  package mutating func endArray() {
    if let array = open.popLast() { value(.array(array.elements)) }
  }

  package mutating func name(_ name: String) { open[open.count - 1].names.append(name) }

  package mutating func null() { value(.null) }

  package mutating func bool(_ value: Bool) { self.value(.bool(value)) }

  package mutating func number(_ text: String) { value(.number(text)) }

  package mutating func string(_ text: String) { value(.string(text)) }

  package mutating func value(_ json: JSON) {
    if open.isEmpty { self.json = json } else { open[open.count - 1].elements.append(json) }
  }
}
