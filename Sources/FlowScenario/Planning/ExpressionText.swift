// The parts of an expression's text that messages speak of.

extension String {
  /// Returns true if two equal quotes are before a place, or around it: `'it''s'`.
  func hasDoubledQuote(before place: Int) -> Bool {
    let scalars = Array(unicodeScalars)
    guard place > 0, place < scalars.count, scalars[place] == "'" || scalars[place] == "\"" else {
      return false
    }
    return scalars[place - 1] == scalars[place]
  }

  /// Returns the id after `steps.` if a problem is in one of them, or nil.
  func stepID(at range: Range<Int>) -> String? {
    let scalars = Array(unicodeScalars)
    let prefix = Array("steps.".unicodeScalars)
    let isInPrefix = scalars.dropFirst(range.lowerBound).starts(with: prefix)
    let start = range.lowerBound + (isInPrefix ? prefix.count : 0)
    guard scalars.prefix(start).suffix(prefix.count).elementsEqual(prefix) else { return nil }
    let id = scalars.dropFirst(start).prefix {
      $0 == "_" || $0.properties.isAlphabetic || "0"..."9" ~= $0
    }
    return String(UnicodeScalarView(id))
  }

  /// Returns `steps.page.error` if a problem is in the `error` of it, or nil.
  func stepOfError(at range: Range<Int>) -> String? {
    let scalars = Array(unicodeScalars)
    guard String(String.UnicodeScalarView(scalars[range])) == "error" else { return nil }
    let before = String(String.UnicodeScalarView(scalars[..<range.lowerBound]))
    let names = before.split(separator: ".", omittingEmptySubsequences: false)
    guard names.count > 2, names[names.count - 1].isEmpty else { return nil }
    let (group, id) = (names[names.count - 3], names[names.count - 2])
    let isWhole = group == "steps" || group.hasSuffix("steps") && !group.hasSuffix("_steps")
    return isWhole ? "steps.\(id).error" : nil
  }

  /// The string without the blanks around it, and their numbers.
  var trimmingBlanks: (text: String, leading: Int, trailing: Int) {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0A }
    let bytes = Array(utf8)
    guard let first = bytes.firstIndex(where: { !isBlank($0) }),
      let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return ("", bytes.count, 0) }
    if first == 0, last == bytes.count - 1 { return (self, 0, 0) }
    return (String(decoding: bytes[first...last], as: UTF8.self), first, bytes.count - 1 - last)
  }
}
