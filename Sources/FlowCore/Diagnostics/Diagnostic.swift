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

/// The parts of a problem as data, for programs that mend it.
package struct DiagnosticFacts: Sendable, Hashable {
  /// A difference between an expected and an actual value.
  package struct Difference: Sendable, Hashable {
    /// The place in the answer, such as `items[0].title`, empty for the whole answer.
    package var path: String
    /// The expected value, in the form of messages.
    package var expected: String
    /// The actual value, in the form of messages.
    package var got: String

    package init(path: String, expected: String, got: String) {
      self.path = path
      self.expected = expected
      self.got = got
    }
  }

  /// The address of the step or the call in the run, or nil.
  package var address: String?
  /// The differences, in the order of the notes.
  package var differences: [Difference] = []
  /// Changes of the file in addition to the replacements of the span.
  package var edits: [SourceEdit] = []

  package init() {}
}

/// A change of a file that may mend a problem.
package struct SourceEdit: Sendable, Hashable {
  /// The meaning of a change.
  package enum Kind: String, Sendable, Hashable {
    /// It mends a mistake in the file.
    case repair
    /// It accepts the actual behaviour as the expected one.
    case accept
  }

  package let kind: Kind
  /// The replaced stretch, empty for an insertion before its start.
  package let span: SourceSpan
  package let text: String
  /// The key that the stretch may start with and that stays, or nil.
  package let key: String?

  package init(_ kind: Kind, _ span: SourceSpan, _ text: String, after key: String? = nil) {
    self.kind = kind
    self.span = span
    self.text = text
    self.key = key
  }

  /// Returns the edit without the key at the start of the replaced text.
  package func sparingKey(of old: String) -> (edit: SourceEdit, old: String) {
    for key in key.map({ [$0, "\"\($0)\"", "'\($0)'"] }) ?? [] where old.hasPrefix(key + ":") {
      let value = old.dropFirst(key.count + 1).drop { $0 == " " }
      let skipped = old.unicodeScalars.count - value.unicodeScalars.count
      let start = Position(line: span.start.line, column: span.start.column + skipped)
      let rest = SourceSpan(file: span.file, start: start, end: span.end)
      return (SourceEdit(kind, rest, text), String(value))
    }
    return (self, old)
  }
}

extension Diagnostic {
  /// Returns the problem with its parts as data.
  package func stating(_ facts: DiagnosticFacts) -> Diagnostic {
    var copy = self
    copy.facts = facts
    return copy
  }
}
