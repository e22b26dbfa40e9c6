internal import FlowCore

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

  private var state: UInt32 = .max

  /// The checksum of no bytes.
  init() {}

  /// Adds the checksum after the other members of the next line, which ends with `}` and a newline.
  mutating func sign(_ line: inout [UInt8]) {
    line.removeLast(2)
    append(line[...])
    let end = line.count
    appendMember(to: &line)
    append(line[end...])
  }

  /// Takes the next line without its newline.
  ///
  /// Returns false if it does not end with its checksum.
  mutating func accepts(_ line: ArraySlice<UInt8>) -> Bool {
    append(line.dropLast(Self.length))
    var member: [UInt8] = []
    appendMember(to: &member)
    append(member[...])
    return line.suffix(Self.length).elementsEqual(member.dropLast())
  }

  /// Adds the member, in eight lower-case hexadecimal digits, and the end of the line.
  private func appendMember(to line: inout [UInt8]) {
    line += Self.beginning
    for shift in stride(from: UInt32(28), through: 0, by: -4) {
      let digit = UInt8(~state >> shift & 15)
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

  // MARK: - The CRC

  /// Eight tables of 256: the CRC of a byte followed by none to seven bytes of zero.
  private static let tables: [UInt32] = {
    var tables = (0..<256).map { (byte: UInt32) in
      (0..<8).reduce(byte) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    for index in 256..<2_048 {
      let before = tables[index - 256]
      tables.append(before >> 8 ^ tables[Int(before & 0xFF)])
    }
    return tables
  }()

  // Eight bytes at once, "slicing by 8" (Kounavis and Berry, 2005): this is done for every line.
  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    let tables = Self.tables
    let part = { (number: Int, byte: UInt8) in tables[256 * number + Int(byte)] }
    var (crc, index) = (state, bytes.startIndex)
    while index + 8 <= bytes.endIndex {
      let last = { (number: Int) in part(3 - number, bytes[index + 4 + number]) }
      let first = { (number: Int) in
        part(7 - number, bytes[index + number] ^ UInt8(truncatingIfNeeded: crc >> (8 * number)))
      }
      crc =
        first(0) ^ first(1) ^ first(2) ^ first(3) ^ last(0) ^ last(1) ^ last(2) ^ last(3)
      index += 8
    }
    for byte in bytes[index...] {
      crc = tables[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ crc >> 8
    }
    state = crc
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
  static func holds(of transcript: TranscriptBytes) -> Bool {
    let member = transcript.suffix(length)
    guard transcript.count > length, member.starts(with: beginning),
      member.suffix(ending.count).elementsEqual(ending)
    else { return false }
    // A piece at a time: it may have a gigabyte.
    var stream = SHA256.Stream()
    transcript.forEachPiece(in: 0..<(transcript.count - length)) { stream.append($0) }
    return member.dropFirst(beginning.count).prefix(64)
      .elementsEqual(stream.digest.hexadecimal.utf8)
  }

  /// Returns true if a transcript ends with a seal, right or wrong.
  static func isThere(in transcript: [UInt8]) -> Bool {
    transcript.suffix(length).starts(with: beginning) && transcript.count > length
  }
}
