internal import FlowSystem
internal import FlowTranscript

/// The kind of file at the path of an output.
///
/// A mistyped path must not destroy a scenario or a recording.
enum OutputPlace {
  case scenario
  case transcript
  case journal
  /// A part of a transcript in a separate file.
  case body
  /// Any other file that is not empty.
  case other

  /// The number of bytes read: enough for nearly all files, and then for the longest line of a
  /// transcript.
  private static let lengths = [64 << 10, 16 << 20]

  /// Reads the file at a path.
  ///
  /// Nil for a missing or empty file.
  private init?(_ path: String) {
    var bytes = FileSystem.beginning(of: path, atMost: Self.lengths[0])
    if bytes.isEmpty { return nil }
    if bytes.first == UInt8(ascii: "{"), !bytes.contains(0x0A) {
      bytes = FileSystem.beginning(of: path, atMost: Self.lengths[1])
    }
    let real = FileSystem.realPath(path) ?? path
    if let header = Self.header(bytes) {
      // Only journals have the name of the run.
      self = header.contains { $0.name == "run" } ? .journal : .transcript
    } else if BlobFolder.isBody(real) {
      self = .body
    } else if Self.isScenario(bytes, at: real) {
      self = .scenario
    } else {
      // A transcript with a merge conflict is still a transcript.
      self = bytes.starts(with: "<<<<<<< ".utf8) ? .transcript : .other
    }
  }

  /// Returns the first line of a transcript or a journal, or nil for other files.
  private static func header(_ bytes: [UInt8]) -> [JSON.Member]? {
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    guard case .object(let members)? = try? JSONParser.parse(line),
      members.contains(where: { $0.name == "transcript" })
    else { return nil }
    return members
  }

  /// Returns true for a scenario or a part of one, recognized by its file name or its key `flow`,
  /// in YAML or JSON.
  private static func isScenario(_ bytes: [UInt8], at path: String) -> Bool {
    if [".yaml", ".yml"].contains(where: path.lowercased().hasSuffix) { return true }
    let text = bytes.starts(with: "\u{FEFF}".utf8) ? bytes.dropFirst(3) : bytes[...]
    // HTML and XML may contain any text.
    if text.first == UInt8(ascii: "<") { return false }
    var lines = text
    while !lines.isEmpty {
      if lines.beginsWithKey { return true }
      guard let end = lines.firstIndex(of: 0x0A) else { break }
      lines = lines[(end + 1)...]
    }
    return text.first == UInt8(ascii: "{") && text.hasOuterKey
  }

  /// Refuses a scenario or a recording as the place of a report.
  ///
  /// A link that is not followed is neither.
  static func check(report path: String, followsLinks: Bool = true) throws(FileError) {
    if !followsLinks, FileSystem.isLink(path) { return }
    switch OutputPlace(path) {
    case nil, .other: return
    case .scenario: throw refusal(path, "it is a scenario")
    case .transcript: throw refusal(path, "it is a transcript")
    case .journal: throw refusal(path, "it is a journal")
    case .body: throw refusal(path, "it is a body of a recording")
    }
  }

  /// Refuses any other file as the place of a transcript, except at its usual place next to a
  /// scenario, which is reserved for it.
  static func check(transcript path: String, isUsual: Bool) throws(FileError) {
    switch OutputPlace(path) {
    case nil, .transcript: return
    case .journal: throw refusal(path, "it is a journal; 'flow resume' continues it")
    case .scenario, .body, .other:
      if !isUsual { throw refusal(path, "it exists and is not a transcript") }
    }
  }

  /// Refuses the same path for two outputs of a run, in any spelling.
  static func check(
    record: String?, journal: String?, reports: [String]
  ) throws(UsageError) {
    let outputs =
      [("record", record), ("journal", journal)].compactMap { name, path in
        path.map { (option: name, path: $0) }
      } + reports.map { (option: "report", path: $0) }
    for (index, output) in outputs.enumerated() {
      for other in outputs[..<index] where place(of: other.path) == place(of: output.path) {
        throw .samePlace(option: other.option, other: output.option, path: output.path)
      }
    }
  }

  /// Returns a path as known to the system, even if nothing exists there.
  private static func place(of path: String) -> String {
    let plain = Path.plain(path)
    if let real = FileSystem.realPath(plain) { return real }
    let folder = FileSystem.realPath(Path.folder(of: plain)) ?? Path.folder(of: plain)
    return Path.joined(folder, String(plain.split(separator: "/").last ?? ""))
  }

  private static func refusal(_ path: String, _ reason: String) -> FileError {
    FileError(.unreadable, path: path, reason: reason, isWriting: true)
  }
}

extension ArraySlice<UInt8> {
  /// True if a line starts with the key `flow`, after at most `---`, a brace and a quote.
  fileprivate var beginsWithKey: Bool {
    var rest = self
    // The first byte is tested alone for speed, since every line of a report is checked.
    if rest.first == UInt8(ascii: "-"), rest.starts(with: "--- ".utf8) {
      rest = rest.dropFirst(4).drop { $0 == UInt8(ascii: " ") }
    }
    if rest.first == UInt8(ascii: "{") { rest = rest.dropFirst().drop { $0 == UInt8(ascii: " ") } }
    if rest.first?.isQuote == true { rest = rest.dropFirst() }
    guard rest.first == UInt8(ascii: "f"), rest.starts(with: "flow".utf8) else { return false }
    rest = rest.dropFirst(4)
    if rest.first?.isQuote == true { rest = rest.dropFirst() }
    return rest.first { $0 != UInt8(ascii: " ") } == UInt8(ascii: ":")
  }

  /// True if at least one of these JSON objects has the key `flow` at its top level.
  ///
  /// The last object may be cut off.
  fileprivate var hasOuterKey: Bool {
    var (depth, index) = (0, startIndex)
    while index < endIndex {
      switch self[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        if depth == 1, self[index...].beginsWithKey { return true }
        index += 1
        while index < endIndex, self[index] != UInt8(ascii: "\"") {
          index += self[index] == UInt8(ascii: "\\") ? 2 : 1
        }
      default: break
      }
      index += 1
    }
    return false
  }
}

extension UInt8 {
  fileprivate var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }
}
