internal import FlowSystem

/// The content of nearly every line of a transcript, found without parsing it into a tree.
///
/// A transcript may have millions of lines, and their content is read again when it is served. A
/// line in a recorder's notation (ASCII, without blanks and names with a leading `$`) is only
/// skimmed. All others are parsed, and so are faulty ones.
struct PlainLine {
  /// The kind of a line.
  enum Kind {
    /// A call of a step.
    case invoke
    /// An event.
    case emit
    /// The answer, an error, or the end of a call that was stopped.
    case ok
  }

  let kind: Kind
  let address: String
}

/// Looks lines over, one after the other.
struct PlainLineReader {
  private var skimmer = JSONSkimmer()

  /// The content of a line, or nil for one to be parsed.
  mutating func line(_ bytes: ArraySlice<UInt8>) -> PlainLine? {
    unsafe bytes.withUnsafeBufferPointer { unsafe line($0) }
  }

  private mutating func line(_ bytes: UnsafeBufferPointer<UInt8>) -> PlainLine? {
    var place = unsafe JSONPlace(bytes: bytes)
    guard unsafe place.take(#"{"at":""#), let address = unsafe place.text(), unsafe place.take(",")
    else { return nil }
    let kind: PlainLine.Kind
    if unsafe place.take(#""ok":"#) {
      kind = .ok
    } else if unsafe place.take(#""error":""#) {
      // A message is a string.
      guard unsafe place.text() != nil, unsafe place.take(#","message":"#),
        unsafe place.next == UInt8(ascii: "\"")
      else { return nil }
      kind = .ok
    } else if unsafe place.take(#""cancelled":"#) {
      guard unsafe place.next == UInt8(ascii: "t") else { return nil }
      kind = .ok
    } else if unsafe place.take(#""emit":""#) {
      guard unsafe place.text() != nil, unsafe place.take(#","payload":"#) else { return nil }
      kind = .emit
    } else if unsafe place.take(#""invoke":""#) {
      guard unsafe place.text() != nil, unsafe place.take(#","input":"#) else { return nil }
      kind = .invoke
    } else {
      return nil
    }
    guard unsafe skimmer.skip(&place, depth: 1), unsafe place.take("}"), unsafe place.isAtEnd else {
      return nil
    }
    guard unsafe Self.isOfStep(bytes[address]) else { return nil }
    return unsafe PlainLine(kind: kind, address: String(decoding: bytes[address], as: UTF8.self))
  }

  /// Returns true for the address of a step, as it is written: `rows/cell#2.5`.
  private static func isOfStep(_ address: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard let mark = unsafe address.firstIndex(of: UInt8(ascii: "#")) else { return false }
    var isAfterMark = true
    for index in unsafe (mark + 1)..<address.endIndex {
      let byte = unsafe address[index]
      // An iteration starts at 1.
      let isDigit = (isAfterMark ? 0x31 : 0x30)...0x39 ~= byte
      guard isDigit || byte == UInt8(ascii: ".") && !isAfterMark else { return false }
      isAfterMark = !isDigit
    }
    // More digits may be beyond the range.
    return unsafe !isAfterMark && address.endIndex - mark < 19
  }
}
