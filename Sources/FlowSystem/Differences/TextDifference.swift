/// Two texts that differ, as messages and reports print them.
///
/// Each is cut around the first difference. Where they differ, characters that look alike or that
/// nobody sees are escaped:
///
///     "12 EUR" and "12\u{a0}EUR"
///     …"tail of a long text, then b"… and …"tail of a long text, then c"…
///
/// The texts have no secrets any more, because a cut could leave the end of one.
package struct TextDifference {
  /// The number of unicode scalars that are equal at the start of both.
  package let offset: Int
  private let scalars: [[Unicode.Scalar]]
  /// The positions of escaped characters, in each text.
  private let escaped: [Set<Int>]

  /// Compares two texts by their unicode scalars.
  package init(_ first: String, _ second: String) {
    let texts = [Array(first.unicodeScalars), Array(second.unicodeScalars)]
    scalars = texts
    let start = zip(texts[0], texts[1]).prefix { $0 == $1 }.count
    let rest = texts.map { $0.dropFirst(start) }
    let end = zip(rest[0].reversed(), rest[1].reversed()).prefix { $0 == $1 }.count
    offset = start
    escaped = EscapedPlaces(rest[0].dropLast(end), rest[1].dropLast(end)).places
  }

  /// The line of the first difference, from 1.
  package var line: Int { scalars[0][..<offset].count { $0 == "\n" } + 1 }

  /// Returns the texts in quotes, at most about `limit` characters each.
  package func quoted(limit: Int) -> [String] {
    excerpts(limit: limit, quote: "\"") { String($0).escaped }
  }

  /// Returns the texts as they are, at most about `limit` characters each.
  ///
  /// For descriptions of values, and lines of texts.
  package func plain(limit: Int) -> [String] {
    excerpts(limit: limit, quote: "") { String($0).onOneLine }
  }

  /// True if the shown part of `limit` characters starts later than the texts.
  package func isCut(limit: Int) -> Bool {
    if offset == scalars[0].count, offset == scalars[1].count { return false }
    // Escapes are longer than what they stand for.
    return offset >= limit * 3 / 4
      || scalars[0][..<offset].reduce(0) { $0 + String($1).escaped.utf8.count } >= limit * 3 / 4
  }

  private func excerpts(
    limit: Int, quote: String, _ shown: (Unicode.Scalar) -> String
  ) -> [String] {
    let start = isCut(limit: limit) ? max(0, offset - limit / 4) : 0
    return scalars.indices.map { index in
      excerpt(index, from: start, limit: limit, quote: quote, shown)
    }
  }

  private func excerpt(
    _ index: Int, from start: Int, limit: Int, quote: String, _ shown: (Unicode.Scalar) -> String
  ) -> String {
    let text = scalars[index]
    var (part, count) = (start > 0 ? "…" + quote : quote, quote.utf8.count)
    for place in start..<max(start, text.count) {
      let piece = escaped[index].contains(place) ? text[place].escape : shown(text[place])
      count += piece.unicodeScalars.count
      let isLast = place == text.count - 1 && count + quote.utf8.count <= limit
      if count >= limit, !isLast {
        // Without a quote, which would look like the end of the text.
        return part + "…"
      }
      part += piece
    }
    return part + quote
  }
}

/// The characters to escape in two texts that differ.
private struct EscapedPlaces {
  private(set) var places: [Set<Int>] = [[], []]

  /// The most characters compared one by one.
  ///
  /// Longer parts count as different as a whole.
  private static let longest = 400
  /// The most characters compared at all, more than any message shows.
  private static let mostCompared = 100_000

  /// Compares the parts of two texts between their common start and their common end.
  init(_ first: ArraySlice<Unicode.Scalar>, _ second: ArraySlice<Unicode.Scalar>) {
    let parts = [first, second]
    if first.count + second.count > Self.mostCompared { return }
    if parts.allSatisfy({ $0.allSatisfy(\.isASCII) }) { return }
    addRuns(first, second)
    let shown = zip(parts, places).map { part, places in
      part.indices.map { places.contains($0) ? "?" : part[$0] }
    }
    // Differences of single characters may cancel out, as with two marks in another order.
    if LookAlike.isSame(shown[0], shown[1]) { escapeAll(first, second) }
  }

  /// Adds each stretch of different characters.
  private mutating func addRuns(
    _ first: ArraySlice<Unicode.Scalar>, _ second: ArraySlice<Unicode.Scalar>
  ) {
    let alignment = Alignment(
      from: Array(first), to: Array(second), longest: Self.longest, by: ==)
    var (left, right) = (first.startIndex, second.startIndex)
    for (offset, place) in alignment.places.enumerated() {
      guard let place else { continue }
      let same = (first.startIndex + offset, second.startIndex + place)
      add(first[left..<same.0], second[right..<same.1])
      (left, right) = (same.0 + 1, same.1 + 1)
    }
    add(first[left...], second[right...])
  }

  /// Adds a stretch that differs.
  private mutating func add(
    _ first: ArraySlice<Unicode.Scalar>, _ second: ArraySlice<Unicode.Scalar>
  ) {
    if LookAlike.isSame(first, second) { return escapeAll(first, second) }
    for (index, part) in [first, second].enumerated() {
      places[index].formUnion(part.indices.filter { part[$0].isInvisible })
    }
  }

  private mutating func escapeAll(
    _ first: ArraySlice<Unicode.Scalar>, _ second: ArraySlice<Unicode.Scalar>
  ) {
    for (index, part) in [first, second].enumerated() {
      places[index].formUnion(part.indices.filter { !part[$0].isASCII })
    }
  }
}
