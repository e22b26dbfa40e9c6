internal import FlowCore
internal import FlowSystem

/// The last lines of a text whose end explains a failure, such as the output of a program.
struct OutputEnd {
  /// The most lines and characters shown of a text.
  private static let (mostLines, longestLine) = (20, 200)

  /// The position of the field in the answer.
  let index: Int
  private let name: String
  private let text: String

  fileprivate init?(_ field: RecordType.Field, _ value: Value, at index: Int) {
    guard field.isLog, case .string(let text) = value, !text.isEmpty else { return nil }
    (self.index, self.name, self.text) = (index, field.name, text)
  }

  /// True if the answer shows it well enough: one short line.
  fileprivate var isShort: Bool {
    text.utf8.count <= Self.longestLine && !text.utf8.dropLast().contains(0x0A)
  }

  /// `stdout, the last 20 of 301 lines:` and these lines, indented.
  var lines: [String] {
    var all = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    if all.last?.isEmpty == true { all.removeLast() }
    let shown = all.suffix(Self.mostLines).map { line in
      "  " + String(line.last == "\r" ? line.dropLast() : line).shortened(to: Self.longestLine)
    }
    let part = all.count > shown.count ? ", the last \(shown.count) of \(all.count) lines" : ""
    return ["\(name)\(part):"] + shown
  }

  /// The start of the text, for the answer beside the lines.
  fileprivate var start: Value { .string(text.shortened(to: 80)) }
}

extension Value {
  /// The ends of the texts in an answer that are shown by themselves, in the order of its fields.
  var ends: [OutputEnd] {
    guard case .record(let record) = self else { return [] }
    let ends = record.values.indices.compactMap {
      OutputEnd(record.type.fields[$0], record.values[$0], at: $0)
    }
    return ends.allSatisfy(\.isShort) ? [] : ends
  }

  /// Returns the answer with only the starts of these texts.
  func shortening(_ ends: [OutputEnd]) -> Value {
    guard case .record(let record) = self, !ends.isEmpty else { return self }
    var values = record.values
    for end in ends { values[end.index] = end.start }
    return .record(RecordValue(record.type, values))
  }
}
