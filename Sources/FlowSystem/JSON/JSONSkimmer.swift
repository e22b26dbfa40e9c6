/// Passes JSON values in the notation of a recorder, which needs no tree and no strings: ASCII
/// without blanks, without numbers of characters, and without names that have escapes or start
/// with `$`.
///
/// It accepts nothing that `JSONParser` refuses.
package struct JSONSkimmer {
  /// The most members of a skimmed object.
  private static let mostMembers = 16

  /// The positions of the names in the objects around the present place: start and end of each.
  private var names: [(begin: Int, end: Int)] = []

  /// Creates a skimmer, which keeps its memory from value to value.
  package init() {}

  /// Passes a value inside of so many collections.
  ///
  /// Returns false for one to be parsed.
  package mutating func skip(_ place: inout JSONPlace, depth: Int) -> Bool {
    names.removeAll(keepingCapacity: true)
    return unsafe value(&place, depth: depth)
  }

  private mutating func value(_ place: inout JSONPlace, depth: Int) -> Bool {
    switch unsafe place.next {
    case UInt8(ascii: "\""): return unsafe place.take("\"") && place.takeRestOfString()
    case UInt8(ascii: "{"):
      return unsafe depth < JSONParser.depthLimit && object(&place, depth: depth + 1)
    case UInt8(ascii: "["):
      return unsafe depth < JSONParser.depthLimit && array(&place, depth: depth + 1)
    case UInt8(ascii: "t"): return unsafe place.take("true")
    case UInt8(ascii: "f"): return unsafe place.take("false")
    case UInt8(ascii: "n"): return unsafe place.take("null")
    default: return unsafe place.takeNumber()
    }
  }

  private mutating func array(_ place: inout JSONPlace, depth: Int) -> Bool {
    guard unsafe place.take("[") else { return false }
    if unsafe place.take("]") { return true }
    repeat {
      guard unsafe value(&place, depth: depth) else { return false }
    } while unsafe place.take(",")
    return unsafe place.take("]")
  }

  private mutating func object(_ place: inout JSONPlace, depth: Int) -> Bool {
    guard unsafe place.take("{") else { return false }
    if unsafe place.take("}") { return true }
    let first = names.count
    repeat {
      guard unsafe place.take("\""), let name = unsafe place.text(), unsafe place.take(":"),
        unsafe isNew(name, since: first, place.bytes), unsafe value(&place, depth: depth)
      else { return false }
    } while unsafe place.take(",")
    names.removeLast(names.count - first)
    return unsafe place.take("}")
  }

  /// Notes a name.
  ///
  /// Returns false for one with a leading `$`, or a repeated one.
  private mutating func isNew(
    _ name: Range<Int>, since first: Int, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let isSign = unsafe !name.isEmpty && bytes[name.lowerBound] == UInt8(ascii: "$")
    if isSign || names.count - first >= Self.mostMembers { return false }
    let isKnown = names[first...].contains { other in
      unsafe bytes[other.begin..<other.end].elementsEqual(bytes[name])
    }
    names.append((name.lowerBound, name.upperBound))
    return !isKnown
  }
}

/// A place in the bytes of JSON text, which outlive it.
@unsafe package struct JSONPlace {
  /// The whole text.
  package let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0

  /// Creates the place before the first byte.
  package init(bytes: UnsafeBufferPointer<UInt8>) { unsafe self.bytes = bytes }

  /// The byte here, or 0 at the end.
  package var next: UInt8 { unsafe index < bytes.count ? bytes[index] : 0 }

  /// True after the last byte.
  package var isAtEnd: Bool { unsafe index == bytes.count }

  /// Passes a text at the present place, or returns false if it is not there.
  @inline(__always) package mutating func take(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard unsafe bytes.count - index >= count else { return false }
    for offset in 0..<count where unsafe bytes[index + offset] != text.utf8Start[offset] {
      return false
    }
    unsafe index += count
    return true
  }

  /// Passes the rest of a string, in which short escapes are allowed.
  ///
  /// Returns false for one to be parsed.
  fileprivate mutating func takeRestOfString() -> Bool {
    while unsafe text() == nil {
      guard unsafe take("\\"), unsafe Self.escapes.contains(next) else { return false }
      unsafe index += 1
    }
    return true
  }

  private static let escapes = Array(#""\/bfnrt"#.utf8)

  /// Passes the rest of a string and returns the range of its content, or nil for one to be parsed.
  package mutating func text() -> Range<Int>? {
    let begin = unsafe index
    while unsafe index < bytes.count {
      let byte = unsafe bytes[index]
      if byte == UInt8(ascii: "\"") {
        unsafe index += 1
        return unsafe begin..<(index - 1)
      }
      // Whatever else is here is no JSON, or needs more than a look.
      if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\\") { return nil }
      unsafe index += 1
    }
    return nil
  }

  /// Passes a number of RFC 8259, section 6.
  mutating func takeNumber() -> Bool {
    _ = unsafe take("-")
    if unsafe !take("0"), unsafe !takeDigits() { return false }
    if unsafe take("."), unsafe !takeDigits() { return false }
    if unsafe take("e") || take("E") {
      if unsafe !take("+") { _ = unsafe take("-") }
      return unsafe takeDigits()
    }
    return true
  }

  /// Passes digits.
  ///
  /// Returns false without any.
  private mutating func takeDigits() -> Bool {
    let begin = unsafe index
    while unsafe index < bytes.count, unsafe UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[index] {
      unsafe index += 1
    }
    return unsafe index > begin
  }
}
