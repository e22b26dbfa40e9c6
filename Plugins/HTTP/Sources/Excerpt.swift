extension String {
  /// The start of a string written by a server, for a message: up to 40 characters of printable
  /// ASCII.
  var excerpt: String {
    let short = unicodeScalars.prefix(41)
    let text = String(
      String.UnicodeScalarView(
        short.prefix(40).map { 0x20..<0x7F ~= $0.value ? $0 : "?" }))
    return short.count > 40 ? text + "…" : text
  }
}
