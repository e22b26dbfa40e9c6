package import FlowRedaction
package import FlowSystem

/// A form of a command's report, selected by `--format` from the command's list.
///
/// A new form is a file with one value of this type, and an entry in the list of each command that
/// offers it.
package struct Output<Subject: Sendable>: Sendable {
  /// The name in `--format`, such as `json`.
  package let name: String
  /// Returns the whole report after the work, or nil if the command prints text during it.
  package let document: (@Sendable (Subject, Redactor) -> Document)?

  /// Creates a form.
  ///
  /// The redactor passed to `document` hides secrets in recorded data.
  package init(_ name: String, document: (@Sendable (Subject, Redactor) -> Document)? = nil) {
    self.name = name
    self.document = document
  }

  /// Text for people, printed by the command during its work.
  package static var progress: Output { Output("text") }
}

/// A whole report.
package enum Document: Sendable {
  /// Whole lines, whose secrets are not hidden yet.
  case text(String)
  /// One object, written in a line, with matches of patterns hidden in the recorded data.
  case json(JSON)
}

extension JSON {
  static func number(_ value: Int) -> JSON { .number(String(value)) }
  static func list(_ texts: [String]) -> JSON { .array(texts.map(JSON.string)) }

  /// Returns a recorded value without its secrets.
  static func recorded(_ value: JSON, _ redactor: Redactor) -> JSON {
    value.redacted(by: redactor, names: true)
  }
}

extension Duration {
  /// The duration for people, three digits or so: `0.12 ms`, `35 ms`, `1.2 s`, `3 min 20 s`.
  package var reportText: String {
    let (seconds, attoseconds) = components
    // Of 200,000 years the microseconds are too many.
    if seconds > 6_000_000_000_000 { return Self.long(seconds: Int(seconds)) }
    let microseconds = max(
      0, Int(max(0, seconds)) * 1_000_000 + Int(attoseconds / 1_000_000_000_000))
    switch microseconds {
    case ..<1_000: return Self.twoDigits(microseconds / 10) + " ms"
    case ..<10_000: return "\(microseconds / 1_000).\(microseconds / 100 % 10) ms"
    case ..<1_000_000: return "\(microseconds / 1_000) ms"
    case ..<60_000_000: return "\(microseconds / 1_000_000).\(microseconds / 100_000 % 10) s"
    default: return Self.long(seconds: microseconds / 1_000_000)
    }
  }

  /// Returns a time above a minute in two units: `3 min 20 s`, `5 h 0 min`, `38 d 10 h`.
  private static func long(seconds: Int) -> String {
    let (minutes, hours) = (seconds / 60, seconds / 3_600)
    if minutes < 60 { return "\(minutes) min \(seconds % 60) s" }
    return hours < 24 ? "\(hours) h \(minutes % 60) min" : "\(hours / 24) d \(hours % 24) h"
  }

  private static func twoDigits(_ hundredths: Int) -> String {
    hundredths < 10 ? "0.0\(hundredths)" : "0.\(hundredths)"
  }
}

/// Returns a count with its noun: `1 step`, `3 steps`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// Returns the note on items left out of a list: `3 more are left out`.
func moreLeftOut(_ count: Int) -> String { "\(count) more \(count == 1 ? "is" : "are") left out" }

/// Returns the note on the hidden part of a run.
func furtherLeftOut(_ count: Int) -> String {
  count == 1
    ? "1 further step or call is left out" : "\(count) further steps and calls are left out"
}
