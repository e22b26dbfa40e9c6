internal import FlowCore

/// The last member of a golden transcript: a digest of everything before it.
///
/// A recorded answer that nothing in the scenario looks at could be damaged without a sign; the seal tells.
package struct Seal: Sendable {
  private static let beginning = Array(#","seal":"sha256:"#.utf8)
  private static let ending = Array("\"}\n".utf8)
  /// What ends the last line of a transcript without a seal.
  private static let unsealedEnding = Array("}\n".utf8)
  private static let length = beginning.count + 64 + ending.count

  private var stream = SHA256.Stream()

  /// A seal of nothing yet.
  package init() {}

  /// Takes the next lines of a transcript, but not the last one.
  mutating func append(_ lines: [UInt8]) {
    stream.append(lines[...])
  }

  /// The last lines with the seal; the very last is the transcript's end.
  mutating func seal(_ lines: [UInt8]) -> [UInt8] {
    guard lines.suffix(2).elementsEqual(Self.unsealedEnding) else { return lines }
    let content = lines.dropLast(2)
    stream.append(content)
    var sealed = Array(content)
    sealed += Self.beginning
    sealed += stream.digest.hexadecimal.utf8
    sealed += Self.ending
    return sealed
  }

  /// A whole transcript with its seal, whether it had one or not.
  package static func sealed(_ transcript: [UInt8]) -> [UInt8] {
    var seal = Seal()
    guard isThere(in: transcript) else { return seal.seal(transcript) }
    return seal.seal(transcript.dropLast(length) + unsealedEnding)
  }

  /// The same lines with a newline alone at their ends, as a transcript has them.
  ///
  /// Version control may have changed them; a carriage return inside of a text is escaped.
  package static func withoutCarriageReturns(_ transcript: [UInt8]) -> [UInt8] {
    guard hasCarriageReturns(transcript) else { return transcript }
    return transcript.filter { $0 != 0x0D }
  }

  /// Whether the lines end as on other systems.
  static func hasCarriageReturns(_ transcript: [UInt8]) -> Bool {
    transcript.suffix(2).elementsEqual([0x0D, 0x0A])
  }

  /// Whether the seal of a transcript is that of its content.
  static func holds(of transcript: [UInt8]) -> Bool {
    isThere(in: transcript) && sealed(transcript) == transcript
  }

  /// Whether a transcript ends with a seal, right or wrong.
  static func isThere(in transcript: [UInt8]) -> Bool {
    transcript.suffix(length).starts(with: beginning) && transcript.count > length
  }
}
