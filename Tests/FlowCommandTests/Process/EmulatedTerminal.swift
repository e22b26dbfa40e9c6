import FlowCore
import Foundation
import TestKit
import Testing

/// The content of an emulated terminal after a run of `flow` during which its window is resized.
struct EmulatedTerminal {
  /// Its end: `exit 0, 50 resizes, few frames`.
  let ending: String
  /// The history and the screen, without times.
  let text: String

  /// The properties of the terminal.
  struct Window: Sendable, CustomTestStringConvertible {
    let columns: Int
    var resizes = 50
    /// True if resizing the window wraps the lines again.
    var reflows = false

    var testDescription: String { "\(columns) columns\(reflows ? " that reflow" : "")" }

    static let all = [20, 40, 80, 200].flatMap { columns in
      [false, true].map { Window(columns: columns, reflows: $0) }
    }
  }

  /// A program with pyte (Debian's package python3-pyte), or nil if it is not installed.
  static let python = Python.having("pyte")

  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Terminal/emulate.py").standardizedFileURL.path

  /// Runs `flow` in a folder.
  init(
    _ arguments: [String], in folder: TemporaryFolder, _ window: Window,
    environment: [String: String] = [:]
  ) throws {
    let python = try #require(Self.python)
    let variables = ["TERM": "xterm-256color", "CI": "", "LC_ALL": "C.UTF-8"]
    let run = try ChildProcess(
      python,
      [Self.script, "\(window.columns)", "\(window.resizes)", window.reflows ? "1" : "0"]
        + [BuiltFlow.path] + arguments, in: folder.directory.path,
      environment: variables.merging(environment) { $1 }
    ).ending()
    #expect(run.errors == "")
    let parts = run.output.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    ending = String(parts[0])
    text = String(parts.last ?? "").withoutDurations
  }
}
