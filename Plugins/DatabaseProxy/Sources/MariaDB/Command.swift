internal import FlowSQL

/// A command of a program that the server has yet to respond to.
///
/// https://mariadb.com/kb/en/2-text-protocol/
enum Command {
  /// The statements of a script that are still to come.
  case script([StatementText])
  /// A statement to prepare.
  case preparation(StatementText)
  /// The number of a prepared statement to execute.
  case execution(UInt64)
  /// The number of a prepared statement of which more rows are read.
  case fetch(UInt64)
  /// A command with a list of columns as its response.
  case columns
  /// A command with rows as its response, but without a statement.
  case rows
  /// A command with a packet as its response.
  case other
  /// A new login.
  case login
  /// A command to forget the prepared statements.
  case reset

  /// The meaning of a packet of a program.
  enum Meaning {
    case command(Command)
    /// A command without a response.
    case silent
    /// The number of a prepared statement to forget.
    case forget(UInt64)
    /// A command that cannot be followed, such as one of a replica.
    case unknown
  }

  /// Reads the first packet of a command.
  static func read(_ body: [UInt8]) -> Meaning {
    var fields = PacketFields(body)
    switch fields.number(1) {
    case 0x01, 0x18: return .silent
    case 0x03: return .command(.script(statements(of: Array(fields.rest))))
    case 0x04: return .command(.columns)
    case 0x0A: return .command(.rows)
    case 0x11: return .command(.login)
    case 0x16: return .command(.preparation(StatementText(Array(fields.rest), .mariaDB)))
    case 0x17, 0xFA: return .command(.execution(fields.number(4)))
    case 0x19: return .forget(fields.number(4))
    case 0x1C: return .command(.fetch(fields.number(4)))
    case 0x1F: return .command(.reset)
    case 0x02, 0x05...0x09, 0x0C...0x0E, 0x1A, 0x1B: return .command(.other)
    default: return .unknown
    }
  }

  /// Returns the statements of a script, of which a block with its own semicolons is one.
  private static func statements(of script: [UInt8]) -> [StatementText] {
    let all = StatementText.all(in: script, .mariaDB)
    guard let first = all.first, all.count > 1 else { return all }
    let words = first.text.uppercased().split(separator: " ")
    let isRoutine =
      ["CREATE", "ALTER"].contains(first.kind)
      && words.contains { ["PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE"].contains($0) }
    return isRoutine || words.starts(with: ["BEGIN", "NOT"])
      ? [StatementText(script, .mariaDB)] : all
  }
}
