/// Properties of a connection on which program and server agree.
struct Capabilities: OptionSet {
  let rawValue: UInt64

  static let compression = Capabilities(rawValue: 1 << 5)
  static let protocol41 = Capabilities(rawValue: 1 << 9)
  static let encryption = Capabilities(rawValue: 1 << 11)
  static let noEndAfterColumns = Capabilities(rawValue: 1 << 24)
  static let optionalColumns = Capabilities(rawValue: 1 << 25)
  static let otherCompression = Capabilities(rawValue: 1 << 26)
  static let queryAttributes = Capabilities(rawValue: 1 << 27)
  static let oldProgress = Capabilities(rawValue: 1 << 29)

  /// The properties that the proxy takes away, since it could not read along.
  static let refused: Capabilities = [
    .compression, .encryption, .optionalColumns, .otherCompression, .queryAttributes, .oldProgress,
  ]

  /// MariaDB's own properties that the proxy leaves: bulks of parameters, and types of columns.
  ///
  /// The others are messages of progress, and results without their columns.
  static let leftOfMariaDB: UInt8 = 1 << 2 | 1 << 3
}

/// The first packet of a server, without what the proxy could not follow.
///
/// https://mariadb.com/kb/en/connection/#initial-handshake-packet
struct Greeting {
  /// The most bytes of a greeting.
  static let longest = 1 << 12

  /// The bytes in place of the server's.
  private(set) var bytes: [UInt8]
  /// The properties that are left.
  private(set) var capabilities: Capabilities = []

  /// Reads the packet at the beginning of bytes, with its length, or returns nil if some are missing.
  ///
  /// A server that refuses the connection sends an error, which stays as it is.
  static func read(_ bytes: [UInt8]) -> (greeting: Greeting, count: Int)? {
    guard bytes.count >= 4 else { return nil }
    let count = 4 + (Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16)
    guard bytes.count >= min(count, longest) else { return nil }
    return (Greeting(Array(bytes.prefix(count))), min(count, bytes.count))
  }

  private init(_ packet: [UInt8]) {
    bytes = packet
    var fields = PacketFields(packet.dropFirst(4))
    guard fields.number(1) == 10 else { return }
    fields.skipText()
    // The number of the thread, the first part of the challenge, and a zero byte.
    let lower = packet.count - fields.rest.count + 13
    // Between the halves are the character set and the status. MariaDB's follow a length and zeros.
    let (upper, own) = (lower + 5, lower + 14)
    guard packet.count >= own + 4 else { return }
    let isMariaDB = packet[lower] & 1 == 0
    let places = [lower, lower + 1, upper, upper + 1]
    for (index, place) in places.enumerated() {
      bytes[place] &= ~UInt8(truncatingIfNeeded: Capabilities.refused.rawValue >> (8 * index))
    }
    if isMariaDB {
      bytes[own] &= Capabilities.leftOfMariaDB
      for place in own + 1..<own + 4 { bytes[place] = 0 }
    }
    let values = places.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[$1]) }
    capabilities = Capabilities(rawValue: values)
  }
}
