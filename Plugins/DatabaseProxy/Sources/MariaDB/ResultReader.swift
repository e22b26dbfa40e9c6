/// The response to a command that may return rows, in packets.
///
/// https://mariadb.com/kb/en/result-set-packets/
struct ResultReader {
  /// The end of one result.
  struct Result: Equatable {
    var rows = 0
    /// The status of the connection, or nil after an error.
    var status: Status?
    /// The SQLSTATE of an error.
    var error: String?
    /// The number of an error.
    var number = 0
    /// True for a result with columns.
    var hasColumns = false
  }

  /// The status of a connection after a result.
  struct Status: OptionSet {
    let rawValue: UInt64

    static let inTransaction = Status(rawValue: 1 << 0)
    static let moreResults = Status(rawValue: 1 << 3)
    /// The rows are read by later commands.
    static let cursor = Status(rawValue: 1 << 6)
    static let lastRow = Status(rawValue: 1 << 7)
  }

  /// The outcome of a packet.
  enum Outcome: Equatable {
    case more
    case end(Result)
    /// A request for a file of the program.
    case file
    /// A packet of no response.
    case unknown
  }

  private enum Stage {
    case start, columns(Int), endOfColumns, rows
  }

  private let endsColumns: Bool
  private var stage: Stage
  private var result = Result()

  /// Creates a reader of a whole response, or of rows alone.
  init(_ capabilities: Capabilities, ofRows: Bool = false) {
    endsColumns = !capabilities.contains(.noEndAfterColumns)
    stage = ofRows ? .rows : .start
    result.hasColumns = ofRows
  }

  /// Takes a packet of the server.
  mutating func take(_ packet: PacketStream.Packet) -> Outcome {
    if packet.body.first == 0xFF, !isInColumns { return .end(Self.failure(packet, result)) }
    switch stage {
    case .start: return start(packet)
    case .columns(let left):
      stage = left > 1 ? .columns(left - 1) : endsColumns ? .endOfColumns : .rows
      return .more
    case .endOfColumns:
      guard isEnd(packet) else { return .unknown }
      stage = .rows
      return status(of: packet).contains(.cursor) ? end(packet) : .more
    case .rows:
      if isEnd(packet) { return end(packet) }
      result.rows += 1
      return .more
    }
  }

  private var isInColumns: Bool { if case .columns = stage { true } else { false } }

  private mutating func start(_ packet: PacketStream.Packet) -> Outcome {
    switch packet.body.first {
    case nil: return .unknown
    case 0x00:
      var fields = PacketFields(packet.body.prefix(64).dropFirst())
      result.rows = Int(clamping: min(fields.sizedNumber(), 1 << 48))
      _ = fields.sizedNumber()
      result.status = Status(rawValue: fields.number(2))
      return .end(result)
    case 0xFB: return .file
    default:
      var fields = PacketFields(packet.body.prefix(9))
      let count = fields.sizedNumber()
      // No table has more columns.
      guard 1...4_096 ~= count, fields.rest.isEmpty else { return .unknown }
      result.hasColumns = true
      stage = .columns(Int(count))
      return .more
    }
  }

  /// True for the packet behind columns or rows.
  private func isEnd(_ packet: PacketStream.Packet) -> Bool {
    // A row that begins with this byte has a value of 16 MiB or more.
    packet.body.first == 0xFE
      && packet.length < (endsColumns ? 9 : PacketStream.longestPart)
  }

  private func status(of packet: PacketStream.Packet) -> Status {
    var fields = PacketFields(packet.body.prefix(64).dropFirst())
    if endsColumns {
      _ = fields.number(2)
    } else {
      _ = (fields.sizedNumber(), fields.sizedNumber())
    }
    return Status(rawValue: fields.number(2))
  }

  private func end(_ packet: PacketStream.Packet) -> Outcome {
    var copy = result
    copy.status = status(of: packet)
    return .end(copy)
  }

  // https://mariadb.com/kb/en/err_packet/
  private static func failure(_ packet: PacketStream.Packet, _ result: Result) -> Result {
    var fields = PacketFields(packet.body.prefix(9).dropFirst())
    var copy = result
    copy.number = Int(fields.number(2))
    let hasState = fields.number(1) == UInt64(UInt8(ascii: "#"))
    copy.error = hasState ? String(decoding: fields.rest, as: UTF8.self) : "HY000"
    copy.rows = 0
    return copy
  }
}
