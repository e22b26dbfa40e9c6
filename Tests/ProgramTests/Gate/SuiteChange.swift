import FlowCore
import Foundation
import TestKit
import Testing

/// A change of a suite, as a developer makes it, from `Tests/Gate`.
///
///     == errors: the expectation of the last balance is deleted
///     -  - {id: left, uses: balance.load, expect: {balance: 5.50}}
///     +  - {id: left, uses: balance.load}
struct SuiteChange: Sendable, CustomTestStringConvertible {
  /// Lines that take the place of others, which are in the file once.
  struct Edit: Sendable {
    /// The path, or nil for the suite's scenario.
    let file: String?
    /// Lines that start with a blank, with `-` or with `+`.
    var lines: [String] = []

    /// The lines before the change, each with its end, or empty for an addition.
    var old: String { text("-") }
    /// The lines after the change, each with its end.
    var new: String { text("+") }

    private func text(_ sign: Character) -> String {
      lines.filter { $0.first == " " || $0.first == sign }.map { $0.dropFirst() + "\n" }.joined()
    }
  }

  /// The name of the suite, such as `errors`.
  let suite: String
  /// What was done.
  let name: String
  var edits: [Edit] = []
  var moves: [(from: String, to: String)] = []
  /// Lines of the shell, run in the folder of the suite after the edits.
  var commands: [String] = []
  /// A part of the line that noticed the alteration, or nil for the first removed line.
  var noticed: String?

  var testDescription: String { "\(suite): \(name)" }

  /// A part of the line that must be named.
  var noticedText: String {
    noticed ?? edits.first?.lines.first { $0.hasPrefix("-") }.map { String($0.dropFirst()) } ?? ""
  }

  /// Reads the changes of a file in `Tests/Gate`.
  static func all(in name: String) throws -> [SuiteChange] {
    var changes: [SuiteChange] = []
    var file: String?
    var isInHunk = false
    for line in try ProjectFiles.text("Tests/Gate/\(name)").components(separatedBy: "\n") {
      let wasInHunk = isInHunk
      isInHunk = false
      if let title = line.after("== ") {
        let parts = title.split(separator: ":", maxSplits: 1)
        changes.append(
          SuiteChange(suite: String(parts[0]), name: String(parts[1].dropFirst())))
        file = nil
        continue
      }
      guard var change = changes.popLast() else { continue }
      defer { changes.append(change) }
      if let path = line.after("@ ") {
        file = path
      } else if let paths = line.after("move: ")?.split(separator: " ").map(String.init) {
        change.moves.append((paths[0], paths[1]))
      } else if let command = line.after("run: ") {
        change.commands.append(command)
      } else if let text = line.after("noticed: ") {
        change.noticed = text
      } else if let sign = line.first, " +-".contains(sign) {
        if !wasInHunk { change.edits.append(Edit(file: file)) }
        change.edits[change.edits.count - 1].lines.append(line)
        isInHunk = true
      } else {
        precondition(line.isEmpty || line == "@", "Tests/Gate/\(name): '\(line)'")
      }
    }
    return changes
  }
}

extension String {
  /// The rest after a prefix, or nil without it.
  fileprivate func after(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
