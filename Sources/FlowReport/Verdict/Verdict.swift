internal import FlowCore
package import FlowSystem

/// The result of a command for programs, in one shape for all commands.
///
///     {"format":"flow-verdict","version":1,"command":"check","verdict":"invalid","exit_code":65,
///     "counts":{"scenarios":1,"errors":1,"warnings":0},"problems":[{"code":"F1203", …}],
///     "next":["flow check race.yaml --format json"],"notes":[],
///     "more":{"omitted_problems":0,"omitted_notes":0,"file":null}}
///
/// `Docs/schemas/verdict.schema.json` has its schema.
package struct Verdict: Sendable {
  /// The limits of a short document.
  package struct Limits: Sendable {
    package var problems: Int
    package var notes: Int
    /// The most unicode scalars of a text.
    package var text: Int

    /// A document to read at once.
    package static let short = Limits(problems: 20, notes: 20, text: 200)
    /// The complete document, whose bounds only keep a hostile file from filling the disk.
    package static let complete = Limits(problems: 100_000, notes: 100_000, text: 64 << 10)
  }

  /// The name of the command, such as `test`.
  package let command: String
  /// The exit code of the command.
  package let exitCode: Int32
  /// The problems, in the order of the command's text.
  package var problems: [VerdictProblem] = []
  /// The further messages, a sentence each.
  package var notes: [String] = []
  /// The numbers that sum up the work, in their order.
  package var counts: [(name: String, count: Int)] = []
  /// The commands to run next, the likeliest first.
  package var next: [String] = []
  /// The command's own report, for the complete document, or nil.
  package var report: JSON?

  /// Creates the verdict of a command.
  package init(of command: String, exitCode: Int32) {
    self.command = command
    self.exitCode = exitCode
  }

  /// The exit code in a word.
  private var word: String {
    switch exitCode {
    case 0: "passed"
    case 1: "failed"
    case 65: "invalid"
    default: "error"
    }
  }

  /// Returns the document within limits.
  ///
  /// With `file` it names the place of the complete document.
  package func document(_ limits: Limits, file: String?) -> JSON {
    let more = JSON.object([
      .init("omitted_problems", .number(max(0, problems.count - limits.problems))),
      .init("omitted_notes", .number(max(0, notes.count - limits.notes))),
      .init("file", file.map(JSON.string) ?? .null),
    ])
    let members: [JSON.Member] = [
      .init("format", .string("flow-verdict")), .init("version", .number(1)),
      .init("command", .string(command)), .init("verdict", .string(word)),
      .init("exit_code", .number(Int(exitCode))),
      .init("counts", .object(counts.map { .init($0.name, .number($0.count)) })),
      .init("problems", .array(problems.prefix(limits.problems).map { $0.json(limits) })),
      .init("next", .list(next)),
      .init("notes", .list(notes.prefix(limits.notes).map { $0.limited(limits.text) })),
      .init("more", more),
    ]
    let isComplete = limits.text == Limits.complete.text
    return .object(members + (isComplete ? report.map { [.init("report", $0)] } ?? [] : []))
  }
}

extension String {
  /// Returns the string, cut to a number of unicode scalars, with the number of those left out.
  func limited(_ limit: Int) -> String {
    if utf8.count <= limit { return self }
    let scalars = unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return self }
    return String(scalars[..<end]) + "… and \(scalars[end...].count) more characters"
  }
}
