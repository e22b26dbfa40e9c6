/// The CRC-32 of zip and PNG (ISO 3309, polynomial 0x04C11DB7 reflected).
package struct CRC32: Sendable, Hashable {
  private var state: UInt32 = .max

  /// The checksum of no bytes.
  package init() {}

  /// The checksum of the bytes so far.
  package var value: UInt32 { ~state }

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

  /// Adds bytes.
  // Eight bytes at once, "slicing by 8" (Kounavis and Berry, 2005): this is done for every line.
  package mutating func append(_ bytes: ArraySlice<UInt8>) {
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
