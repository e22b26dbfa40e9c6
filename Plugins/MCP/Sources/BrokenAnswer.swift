import FlowCore

/// The head of a line that is not JSON, but has the form of an answer: half of a surrogate pair, bytes
/// that are no UTF-8, or a name that appears twice break only a part of it.
///
/// The call that waits for the answer fails at once then.
struct BrokenAnswer {
  /// The number of the request.
  let id: Int

  /// Reads a line, or returns nil for one of another form.
  init?(_ line: [UInt8]) {
    var rest = Self.trimmed(line[...])
    guard rest.popFirst() == UInt8(ascii: "{") else { return nil }
    var members: [[UInt8]: ArraySlice<UInt8>] = [:]
    repeat {
      guard let name = Self.part(of: &rest, upTo: [UInt8(ascii: ":")]) else { return nil }
      rest.removeFirst()
      guard let value = Self.part(of: &rest, upTo: Array(",}".utf8)) else { return nil }
      members[Array(name)] = value
    } while rest.popFirst() == UInt8(ascii: ",")
    guard rest.isEmpty, members[Array(#""method""#.utf8)] == nil,
      members[Array(#""jsonrpc""#.utf8)]?.elementsEqual(#""2.0""#.utf8) == true,
      let number = members[Array(#""id""#.utf8)],
      let id = Int(String(decoding: number, as: UTF8.self))
    else { return nil }
    self.id = id
  }

  /// Takes the bytes before one of some separators outside of strings and brackets, or returns nil if
  /// there is none.
  private static func part(
    of rest: inout ArraySlice<UInt8>, upTo ends: [UInt8]
  ) -> ArraySlice<UInt8>? {
    var (depth, isInString, isEscaped) = (0, false, false)
    for (index, byte) in zip(rest.indices, rest) {
      if isInString {
        isInString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else if depth == 0, ends.contains(byte) {
        defer { rest = rest[index...] }
        return trimmed(rest[..<index])
      } else {
        isInString = byte == UInt8(ascii: "\"")
        if "{[".utf8.contains(byte) { depth += 1 }
        if "}]".utf8.contains(byte) { depth -= 1 }
      }
    }
    return nil
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in " \t\r".utf8.contains(byte) }
    var bytes = bytes.drop(while: isBlank)
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    return bytes
  }
}
