private import Foundation

/// The project's folder of scenarios.
package enum ScenarioFolder {
  /// The full path of the folder.
  package static let path = ProjectFiles.root + "/Scenarios"

  /// The names of the scenarios in a folder, without their endings, sorted, never empty.
  package static func names(in folder: String = "") -> [String] {
    let full = folder.isEmpty ? path : path + "/" + folder
    let names = (try? FileManager.default.contentsOfDirectory(atPath: full)) ?? []
    let scenarios = names.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
    precondition(!scenarios.isEmpty, "no scenario in \(full)")
    return scenarios.sorted()
  }

  /// The text of a file, by its path in the folder.
  package static func text(_ name: String) throws -> String {
    try ProjectFiles.text("Scenarios/" + name)
  }
}
