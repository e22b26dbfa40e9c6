extension EventReader {
  /// Lends a reader of the bytes; neither the reader nor the bytes may outlive the closure.
  ///
  /// Only a YAML reader can tell double quotes from a comment or a block of text, so a text that seems
  /// to have surrogate pairs is read twice: with all of them replaced, to see which are in double
  /// quotes, and with only those replaced. The first time may stop at a mistake or below `depth`
  /// collections; the second time stops there too, so what comes later does not matter.
  static func read<Result>(
    _ bytes: [UInt8], depth: Int, _ body: (EventReader) throws(YAMLError) -> Result
  ) throws(YAMLError) -> Result {
    let pairs = SurrogatePair.find(in: bytes)
    let text = RewrittenText(bytes, replacing: pairs)
    guard !pairs.isEmpty else { return try read(text, body) }
    var isText = [Bool](repeating: false, count: pairs.count)
    // The second time reports the mistake.
    try? read(text) { reader throws(YAMLError) in
      try reader.markText(in: text, depth: depth, &isText)
    }
    let escapes = zip(pairs, isText).filter { !$0.1 }.map(\.0)
    return try read(RewrittenText(bytes, replacing: escapes), body)
  }

  /// Marks the pairs that stand in scalars without double quotes, where a backslash is a backslash.
  private func markText(
    in text: RewrittenText, depth limit: Int, _ isText: inout [Bool]
  ) throws(YAMLError) {
    var depth = 0
    while depth <= limit {
      switch try advance() {
      case .streamEnd: return
      case .collectionStart: depth += 1
      case .collectionEnd: depth -= 1
      case .scalar where !isDoubleQuoted:
        let characters = self.characters
        let first = text.pairs(endingBy: characters.lowerBound)
        for pair in first..<text.pairs(endingBy: characters.upperBound) { isText[pair] = true }
      default: break
      }
    }
  }
}
