internal import FlowSystem

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
