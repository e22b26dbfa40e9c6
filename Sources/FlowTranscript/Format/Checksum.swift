internal import FlowSystem

/// The CRC-32 of a journal so far, with which each of its lines ends.
///
/// A changed byte in a line that still reads would let a resumed run do something else than was asked. It is the CRC of
/// zip and PNG (ISO 3309, polynomial 0x04C11DB7 reflected) of all bytes before its own member, so that a missing or an
/// exchanged line shows as well.
package struct Checksum: Sendable, Hashable {
  private static let beginning = Array(#","crc":""#.utf8)
  private static let ending = Array("\"}".utf8)
  private static let length = beginning.count + 8 + ending.count
  private static let newline = UInt8(ascii: "\n")

  private var sum = CRC32()

  /// The checksum of no bytes.
  init() {}

  /// Adds the checksum after the other members of the next line, which ends with `}` and a newline.
  mutating func sign(_ line: inout [UInt8]) {
    line.removeLast(2)
    sum.append(line[...])
    let end = line.count
    appendMember(to: &line)
    sum.append(line[end...])
  }

  /// Takes the next line without its newline.
  ///
  /// Returns false if it does not end with its checksum.
  mutating func accepts(_ line: ArraySlice<UInt8>) -> Bool {
    sum.append(line.dropLast(Self.length))
    var member: [UInt8] = []
    appendMember(to: &member)
    sum.append(member[...])
    return line.suffix(Self.length).elementsEqual(member.dropLast())
  }

  /// Adds the member, in eight lower-case hexadecimal digits, and the end of the line.
  private func appendMember(to line: inout [UInt8]) {
    line += Self.beginning
    for shift in stride(from: UInt32(28), through: 0, by: -4) {
      let digit = UInt8(sum.value >> shift & 15)
      line.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
    }
    line += Self.ending
    line.append(Self.newline)
  }

  /// A journal with checksums in all complete lines, new or existing.
  ///
  /// A torn line stays.
  package static func signed(_ journal: [UInt8]) -> [UInt8] {
    var (checksum, result, lines) = (Checksum(), [UInt8](), LineCursor(journal))
    while let line = lines.next() {
      guard lines.isTerminated else { return result + line }
      var signed = Array(isThere(in: line) ? line.dropLast(length) : line.dropLast())
      signed += [UInt8(ascii: "}"), newline]
      checksum.sign(&signed)
      result += signed
    }
    return result
  }

  private static func isThere(in line: ArraySlice<UInt8>) -> Bool {
    let member = line.suffix(length)
    return member.starts(with: beginning) && member.suffix(ending.count).elementsEqual(ending)
  }
}

/// The last member of a golden transcript: a digest of everything before it.
///
/// It shows damage to a recorded answer that nothing in the scenario reads.
package struct Seal: Sendable {
  private static let beginning = Array(#","seal":"sha256:"#.utf8)
  private static let ending = Array("\"}\n".utf8)
  /// The end of the last line of a transcript without a seal.
  private static let unsealedEnding = Array("}\n".utf8)
  private static let length = beginning.count + 64 + ending.count

  private var stream = SHA256.Stream()

  /// A seal of nothing yet.
  package init() {}

  /// Takes the next lines of a transcript, but not the last one.
  mutating func append(_ lines: [UInt8]) {
    stream.append(lines[...])
  }

  /// The last lines with the seal, up to the transcript's end.
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

  /// Returns the lines with only a newline at their ends, as in a transcript.
  ///
  /// Version control may have changed them. A carriage return inside a string is escaped.
  package static func withoutCarriageReturns(_ transcript: [UInt8]) -> [UInt8] {
    guard hasCarriageReturns(transcript) else { return transcript }
    return transcript.filter { $0 != 0x0D }
  }

  /// Returns true if the lines end as on other systems.
  static func hasCarriageReturns(_ transcript: [UInt8]) -> Bool {
    transcript.suffix(2).elementsEqual([0x0D, 0x0A])
  }

  /// Returns true if the seal of a transcript fits its content.
  static func holds(of transcript: [UInt8]) -> Bool {
    let member = transcript.suffix(length)
    guard transcript.count > length, member.starts(with: beginning),
      member.suffix(ending.count).elementsEqual(ending)
    else { return false }
    var stream = SHA256.Stream()
    stream.append(transcript.dropLast(length))
    return member.dropFirst(beginning.count).prefix(64)
      .elementsEqual(stream.digest.hexadecimal.utf8)
  }

  /// Returns true if a transcript ends with a seal, right or wrong.
  static func isThere(in transcript: [UInt8]) -> Bool {
    transcript.suffix(length).starts(with: beginning) && transcript.count > length
  }
}
