internal import FlowCore

// What is said about the project file.

extension Problem {
  static func updateMode(_ name: String) -> Problem {
    let names = UpdateMode.allCases.map(\.rawValue)
    return Problem(
      code: "F1605",
      message: "'update' must be \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
        + ", not '\(name)'",
      near: Suggestion.nearest(to: name, among: names))
  }

  static func pattern(_ message: String) -> Problem { Problem(code: "F1607", message: message) }

  static func missingPath(_ path: String) -> Problem {
    Problem(code: "F1606", message: "'\(path)' leads to no file and no folder")
  }
}
