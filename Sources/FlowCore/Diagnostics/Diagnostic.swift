public import FlowSystem

/// A range of a file.
///
/// The end is just after its last character.
public struct SourceSpan: Sendable, Hashable {
  /// The file's path as the user gave it.
  public let file: String
  /// The first character.
  public let start: Position
  /// Just after the last character.
  public let end: Position

  /// The stretch from `start` up to `end`.
  public init(file: String, start: Position, end: Position) {
    self.file = file
    self.start = start
    self.end = end
  }
}

/// One problem found in a file, as data that `DiagnosticRenderer` turns into text.
public struct Diagnostic: Error, Sendable, Hashable {
  /// The severity of a problem.
  public enum Severity: String, Sendable, Hashable {
    /// The file cannot be used.
    case error
    /// The file can be used, and the reader should know.
    case warning
  }

  /// A stable name such as `F1203`.
  public let code: DiagnosticCode
  /// The severity of the problem.
  public let severity: Severity
  /// The problem, in lower case, without a full stop, and with the user's own text in single
  /// quotes.
  public package(set) var message: String
  /// The place of the problem, or nil for the file as a whole.
  public let span: SourceSpan?
  /// Further lines, such as the expected value or the place of the other party.
  public package(set) var notes: [String]
  /// The circumstances, a line each: the input of a call, its whole answer, the values of loops.
  public package(set) var context: [String] = []
  /// Replacements for the text of the span, the likeliest first.
  public package(set) var fixes: [String]
  /// True if the line may be shown, unless the file may be full of secrets.
  package var showsLine = true
  /// The note that names the case around it, or nil.
  package var caseNote: String?
  /// The parts of the problem as data.
  package var facts = DiagnosticFacts()

  /// A problem at a place.
  public init(
    _ code: DiagnosticCode, _ message: String, at span: SourceSpan?, severity: Severity = .error,
    notes: [String] = [], fixes: [String] = []
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.span = span
    self.notes = notes
    self.fixes = fixes
  }
}

extension SourceSpan: CustomStringConvertible {
  /// The start of the span: `shop.yaml:12:15`.
  public var description: String { "\(file):\(start.line):\(start.column)" }
}

extension Diagnostic {
  /// Returns the problem with more notes, after its own.
  package func noting(_ more: [String]) -> Diagnostic {
    var copy = self
    copy.notes += more
    return copy
  }
}

extension Diagnostic {
  /// Returns the problem with its circumstances.
  package func showing(_ context: [String]) -> Diagnostic {
    var copy = self
    copy.context = context
    return copy
  }
}

extension Diagnostic {
  /// Returns the problem as one of several cases: with its first note and that of its case, and
  /// without its circumstances.
  package var ofManyCases: Diagnostic {
    guard let caseNote else { return self }
    var copy = self
    copy.notes = notes.prefix { $0 != caseNote }.prefix(1) + [caseNote]
    copy.context = []
    return copy
  }
}

extension Diagnostic: Comparable {
  /// Compares in file order: by file, then by position.
  ///
  /// Problems without a place come first.
  public static func < (left: Diagnostic, right: Diagnostic) -> Bool {
    guard let first = left.span else { return right.span != nil }
    guard let second = right.span else { return false }
    return (first.file, first.start) < (second.file, second.start)
  }
}
