package import FlowCore
internal import FlowRedaction
internal import FlowSystem

/// A problem in a verdict.
package struct VerdictProblem: Sendable {
  /// A change that may mend the problem.
  package struct Fix: Sendable {
    /// The change in a few words: `replace lod by load`.
    package let title: String
    /// The change.
    package let edit: SourceEdit
  }

  /// The longest quoted part of a line, in unicode scalars.
  private static let longestLine = 4_000

  private let diagnostic: Diagnostic
  private let fixes: [Fix]
  /// The quoted line, or nil.
  private let excerpt: String?
  /// The command to run next.
  package let next: String

  /// Creates a problem, whose secrets are hidden.
  ///
  /// - Parameters:
  ///   - diagnostic: The problem.
  ///   - next: The command to run next, or an empty string.
  ///   - sources: The files to quote, with secrets hidden.
  init(_ diagnostic: Diagnostic, next: String, quoting sources: QuotedSources) {
    self.diagnostic = diagnostic
    self.next = next
    let span = diagnostic.showsLine ? diagnostic.span : nil
    excerpt = span.flatMap { sources.line(of: $0, limit: Self.longestLine) }
    fixes = Self.fixes(of: diagnostic, sources)
  }

  /// Creates a problem that no diagnostic describes, such as a wrong command line.
  package init(code: String, message: String, next: String) {
    diagnostic = Diagnostic(DiagnosticCode(code), message, at: nil)
    self.next = next
    (fixes, excerpt) = ([], nil)
  }

  /// Returns the changes that may mend a problem of files with these texts, the likeliest first.
  package static func fixes(of diagnostic: Diagnostic, _ sources: QuotedSources) -> [Fix] {
    var fixes: [Fix] = []
    if let span = diagnostic.span, let old = sources.text(of: span), !old.isEmpty {
      fixes = diagnostic.fixes.filter { !Redactor.hasPlaceholder(.string($0)) }.map {
        Fix(title: "replace \(old) by \($0)", edit: SourceEdit(.repair, span, $0))
      }
    }
    // An edit must not write a placeholder in place of a secret.
    let edits = diagnostic.facts.edits.filter { !Redactor.hasPlaceholder(.string($0.text)) }
    return fixes + edits.compactMap { fix(by: $0, sources) }
  }

  /// Returns a fix, or nil if the replaced text is no literal.
  private static func fix(by edit: SourceEdit, _ sources: QuotedSources) -> Fix? {
    guard let text = sources.text(of: edit.span) else { return nil }
    let (edit, old) = edit.sparingKey(of: text)
    if old.isEmpty {
      return Fix(title: "insert \(edit.text.split(separator: "\n").first ?? "")", edit: edit)
    }
    if old.contains("${{") || "*&!|>".contains(old.prefix(1)) { return nil }
    let verb = edit.kind == .accept ? "accept the answer: replace" : "replace"
    return Fix(title: "\(verb) \(old) by \(edit.text)", edit: edit)
  }

  func json(_ limits: Verdict.Limits) -> JSON {
    let text = { (text: String) in JSON.string(text.limited(limits.text)) }
    let notes = (diagnostic.notes + diagnostic.context).prefix(limits.notes)
    let code = diagnostic.code.name
    let members: [JSON.Member] = [
      .init("code", .string(code)), .init("severity", .string(diagnostic.severity.rawValue)),
      .init("message", text(diagnostic.message)),
    ]
    let place = diagnostic.span.map { JSON.stretch($0) } ?? []
    let about: [JSON.Member] = [
      .init("excerpt", excerpt.map(text) ?? .null),
      .init("address", diagnostic.facts.address.map(text) ?? .null),
      .init(
        "differences",
        .array(diagnostic.facts.differences.prefix(limits.problems).map { $0.json(text) })),
      .init("notes", .array(notes.map(text))),
      .init("fixes", .array(fixes.prefix(limits.problems).map { $0.json(text) })),
      .init("explain", code.isCode ? .string("flow explain \(code)") : .null),
      .init("next", next.isEmpty ? .null : .string(next)),
    ]
    return .object(members + place + about)
  }
}

extension String {
  /// True for a code with an explanation.
  fileprivate var isCode: Bool {
    utf8.first == UInt8(ascii: "F") && utf8.dropFirst().allSatisfy(\.isDigit)
  }
}

extension VerdictProblem.Fix {
  fileprivate func json(_ text: (String) -> JSON) -> JSON {
    let place = JSON.stretch(edit.span)
    return .object([
      .init("kind", .string(edit.kind.rawValue)), .init("title", text(title)),
      // An edit is applied as it is, so its text is never cut.
      .init("edits", .array([.object(place + [.init("new_text", .string(edit.text))])])),
    ])
  }
}

extension DiagnosticFacts.Difference {
  fileprivate func json(_ text: (String) -> JSON) -> JSON {
    .object([
      .init("path", text(path)), .init("expected", text(expected)), .init("got", text(got)),
    ])
  }
}

extension JSON {
  /// The members for a stretch of a file.
  static func stretch(_ span: SourceSpan) -> [JSON.Member] {
    [
      .init("file", .string(span.file)), .init("line", .number(span.start.line)),
      .init("column", .number(span.start.column)), .init("end_line", .number(span.end.line)),
      .init("end_column", .number(span.end.column)),
    ]
  }
}
