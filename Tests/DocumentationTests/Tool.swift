import Foundation
import TestKit

/// A program of the machine that a test uses where it is there.
enum Tool {
  /// Where it is in the folders of `PATH`; nil where it is not.
  static func path(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// What it prints, and its code unless that is 0.
  static func run(_ name: String, _ arguments: [String], in folder: String) throws -> String {
    let ending = try ChildProcess(path(name) ?? name, arguments, in: folder).ending()
    return ending.output + ending.errors + (ending.code == 0 ? "" : "ended with \(ending.code)\n")
  }
}
