/// The packets in one direction of a connection to MariaDB, as they arrive in pieces.
///
/// Only the first bytes and the length of a packet are kept, so that one of any length takes no
/// memory. https://mariadb.com/kb/en/0-packet/
struct PacketStream {
  /// A packet, of which parts of the greatest length are joined.
  struct Packet: Equatable {
    /// The number in the header of the first part.
    let sequence: UInt8
    /// The first bytes, up to `mostKept`.
    var body: [UInt8] = []
    /// The number of all bytes.
    var length = 0
  }

  /// The most bytes of a packet that are kept: those of a statement with its command.
  static let mostKept = StatementText.greatestLength + 1
  /// The length of a part that another one follows.
  static let longestPart = 0xFF_FFFF

  private var header: [UInt8] = []
  private var packet: Packet?
  /// The bytes of the current part that are still to come.
  private var left = 0
  private var isLastPart = true

  /// Takes bytes, and returns the packets that end in them.
  mutating func append(_ bytes: ArraySlice<UInt8>) -> [Packet] {
    var (rest, packets): (ArraySlice<UInt8>, [Packet]) = (bytes, [])
    while !rest.isEmpty {
      if left == 0 { begin(&rest) } else { take(&rest) }
      if left == 0, header.isEmpty, isLastPart, let done = packet {
        packets.append(done)
        packet = nil
      }
    }
    return packets
  }

  /// Takes the bytes of a header, which may end in the middle of it.
  private mutating func begin(_ rest: inout ArraySlice<UInt8>) {
    let part = rest.prefix(4 - header.count)
    header += part
    rest = rest.dropFirst(part.count)
    guard header.count == 4 else { return }
    left = Int(header[0]) | Int(header[1]) << 8 | Int(header[2]) << 16
    isLastPart = left < Self.longestPart
    if packet == nil { packet = Packet(sequence: header[3]) }
    packet?.length += left
    header = []
  }

  private mutating func take(_ rest: inout ArraySlice<UInt8>) {
    let part = rest.prefix(left)
    if let kept = packet?.body.count { packet?.body += part.prefix(Self.mostKept - kept) }
    rest = rest.dropFirst(part.count)
    left -= part.count
  }
}

/// The fields of a packet, which are zero or empty where it ends too early.
struct PacketFields {
  private(set) var rest: ArraySlice<UInt8>

  init(_ body: some Collection<UInt8>) { rest = Array(body)[...] }

  /// Takes a number of some bytes, the lowest first.
  mutating func number(_ count: Int) -> UInt64 {
    let bytes = rest.prefix(count)
    rest = rest.dropFirst(count)
    return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Takes a number with its length before it.
  ///
  /// https://mariadb.com/kb/en/protocol-data-types/
  mutating func sizedNumber() -> UInt64 {
    switch number(1) {
    case 0xFC: number(2)
    case 0xFD: number(3)
    case 0xFE: number(8)
    case let small: small
    }
  }

  /// Skips a text and the zero byte at its end.
  mutating func skipText() { rest = rest.drop { $0 != 0 }.dropFirst() }
}
