public import FlowPlan
internal import FlowSystem
internal import FlowYAML

/// A scenario's text and its origin.
public struct ScenarioSource: Sendable {
  /// The path as the user gave it, at the start of diagnostics.
  public let file: String
  /// The file's content.
  public let bytes: [UInt8]

  /// The largest scenario to read, in bytes.
  public static let largest = 64 << 20

  /// Creates a source from existing text.
  public init(file: String, bytes: [UInt8]) {
    self.file = file
    self.bytes = bytes
  }

  /// Reads a file.
  ///
  /// - Throws: `ScenarioError` with one diagnostic, `F1001`.
  public init(reading file: String) throws(ScenarioError) {
    self.file = file
    do {
      bytes = try FileSystem.contents(of: file, limit: Self.largest, allowsPipe: true)
    } catch {
      throw ScenarioError(diagnostics: [Problem.unreadable(error).diagnostic(at: nil)])
    }
  }

  /// The apparent kind of a file, even if it cannot be planned.
  package enum Kind: Sendable {
    /// Its root is a mapping with the keys `flow` and `steps`.
    case scenario
    /// Only the key `flow`, or an unreadable file with a line that starts with it.
    case damaged
    /// Neither YAML nor JSON.
    case unreadable
    /// A readable file of another kind.
    case other
  }

  /// The apparent kind of the file.
  package var kind: Kind {
    if Stranger(ofYAML: bytes) != nil { return hasVersion ? .damaged : .unreadable }
    guard let root = try? Node(parsing: bytes, as: Format(ofFile: file)) else {
      return hasVersion ? .damaged : .unreadable
    }
    guard root["flow"] != nil else { return .other }
    return root["steps"] != nil ? .scenario : .damaged
  }

  /// True if an unreadable file has the key `flow` at the start of a line, or anywhere in JSON.
  ///
  /// An editor may have saved it as UTF-16 or with the line ends of another system, and written a
  /// mark before everything else.
  private var hasVersion: Bool {
    let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF]
    let text = bytes.drop(while: marks.contains).filter { $0 != 0 }
    let isJSON = text.first { !Self.blanks.contains($0) } == UInt8(ascii: "{")
    return text.ranges(of: "flow".utf8).contains { name in
      Self.endsKey(text[name.upperBound...]) && Self.beginsKey(text[..<name.lowerBound], isJSON)
    }
  }

  private static let blanks = Set(" \t\r\n".utf8)
  private static let quotes = Set("\"'".utf8)

  private static func endsKey(_ rest: ArraySlice<UInt8>) -> Bool {
    let rest = rest.first.map(quotes.contains) == true ? rest.dropFirst() : rest
    return rest.first { !blanks.contains($0) } == UInt8(ascii: ":")
  }

  private static func beginsKey(_ text: ArraySlice<UInt8>, _ isJSON: Bool) -> Bool {
    let isQuoted = text.last.map(quotes.contains) == true
    guard let last = (isQuoted ? text.dropLast() : text).last else { return true }
    return (isJSON ? Set("{, \t\r\n".utf8) : Set("\r\n".utf8)).contains(last)
  }

  /// True if the file starts like a transcript or a journal.
  var isTranscript: Bool { bytes.starts(with: "{\"transcript\":".utf8) }

  /// The first line with a marker of a merge conflict, from 1, or nil.
  var conflictLine: Int? {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .firstIndex { $0.starts(with: "<<<<<<< ".utf8) }.map { $0 + 1 }
  }
}
