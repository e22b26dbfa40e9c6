import Foundation

/// The folder of real scenarios, beside the tests.
enum ScenarioFolder {
  static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Scenarios").path

  /// The names of the scenarios in a folder, without their endings, sorted; never empty.
  static func names(in folder: String = "") -> [String] {
    let full = folder.isEmpty ? path : path + "/" + folder
    let names = (try? FileManager.default.contentsOfDirectory(atPath: full)) ?? []
    let scenarios = names.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
    precondition(!scenarios.isEmpty, "no scenario in \(full)")
    return scenarios.sorted()
  }

  static func text(_ name: String) throws -> String {
    try String(contentsOfFile: path + "/" + name, encoding: .utf8)
  }
}
