/// The line ends of text, as version control changes them between systems.
package enum LineEnds {
  /// The contents that differ from a content in their line ends alone, as far as each had one kind of them: with LF, and
  /// with CR and LF.
  package static func others(of content: [UInt8]) -> [[UInt8]] {
    let (carriageReturn, newline) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
    var (short, long): ([UInt8], [UInt8]) = ([], [])
    short.reserveCapacity(content.count)
    long.reserveCapacity(content.count)
    for (index, byte) in content.enumerated() {
      let isPair =
        byte == carriageReturn && index + 1 < content.count && content[index + 1] == newline
      if !isPair { short.append(byte) }
      if byte == newline, index == 0 || content[index - 1] != carriageReturn {
        long.append(carriageReturn)
      }
      long.append(byte)
    }
    return [short, long].filter { $0 != content }
  }
}
