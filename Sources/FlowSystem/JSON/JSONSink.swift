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
  /// True if a name in it starts with `$`, or a part came as a tree of its own.
  package private(set) var hasSigns = false
  /// A guess of the length of a tree in it, as the name of a file has it.
  private static let treeSize = 150

  /// Its approximate length as text, in bytes.
  package private(set) var size = 0
  /// The number of collections around its innermost value.
  package private(set) var depth = 0
  private var open: [Collection] = []

  /// Creates a builder without parts.
  package init() {}

  package mutating func beginObject() { begin() }

  package mutating func endObject() {
    guard let object = open.popLast() else { return }
    add(.object(zip(object.names, object.elements).map { JSON.Member($0, $1) }))
  }

  package mutating func beginArray() { begin() }

  package mutating func endArray() {
    if let array = open.popLast() { add(.array(array.elements)) }
  }

  package mutating func name(_ name: String) {
    size += name.utf8.count + 4
    hasSigns = hasSigns || name.utf8.first == UInt8(ascii: "$")
    open[open.count - 1].names.append(name)
  }

  package mutating func null() { add(.null, 4) }

  package mutating func bool(_ value: Bool) { add(.bool(value), 5) }

  package mutating func number(_ text: String) { add(.number(text), text.utf8.count) }

  package mutating func string(_ text: String) { add(.string(text), text.utf8.count + 2) }

  package mutating func value(_ json: JSON) {
    hasSigns = true
    add(json, Self.treeSize)
  }

  private mutating func begin() {
    open.append(Collection())
    size += 2
    depth = max(depth, open.count)
  }

  private mutating func add(_ json: JSON, _ length: Int = 0) {
    size += length + 1
    if open.isEmpty { self.json = json } else { open[open.count - 1].elements.append(json) }
  }
}
