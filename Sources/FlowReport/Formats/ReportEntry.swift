internal import FlowSystem

/// The part of a report about one scenario.
package struct ReportEntry: Sendable {
  /// Some of its text.
  enum Piece: Sendable {
    case text(String)
    /// Text kept in a file until the report is assembled.
    case stored(ScratchPiece)

    fileprivate var count: Int {
      switch self {
      case .text(let text): text.utf8.count
      case .stored(let piece): piece.count
      }
    }
  }

  let pieces: [Piece]
  /// True to write it before the entries for which this is false.
  let isFirst: Bool
  /// The files stored next to the report.
  let attachments: [Attachment]
  /// The reason for missing parts, or nil for a complete entry.
  let failure: FileError?

  init(_ text: String, isFirst: Bool = false, attachments: [Attachment] = []) {
    pieces = text.isEmpty ? [] : [.text(text)]
    (self.isFirst, self.attachments, failure) = (isFirst, attachments, nil)
  }

  init(_ pieces: [Piece], failure: FileError?) {
    (self.pieces, self.failure, isFirst, attachments) = (pieces, failure, false, [])
  }

  /// Creates a copy without attachments.
  init(withoutAttachments entry: ReportEntry) {
    (pieces, isFirst, failure) = (entry.pieces, entry.isFirst, entry.failure)
    attachments = []
  }

  /// The number of bytes in its text.
  var count: Int { pieces.reduce(0) { $0 + $1.count } }

  /// All of it.
  ///
  /// - Throws: `FileError` when something of it is missing.
  var text: String {
    get throws(FileError) {
      if let failure { throw failure }
      var whole = ""
      for piece in pieces {
        switch piece {
        case .text(let text): whole += text
        case .stored(let piece): whole += String(decoding: try piece.bytes, as: UTF8.self)
        }
      }
      return whole
    }
  }
}

/// A file next to a report, named by its content.
struct Attachment: Sendable {
  /// The fewest bytes worth a file.
  static let smallest = 1 << 20
  /// The folder of all attachments, next to the report.
  static let folder = "flow-report-files"

  /// Its path from the report's folder.
  let path: String
  let bytes: [UInt8]

  init(_ bytes: [UInt8], ending: String) {
    path = "\(Self.folder)/\(SHA256(bytes).hexadecimal).\(ending)"
    self.bytes = bytes
  }
}
