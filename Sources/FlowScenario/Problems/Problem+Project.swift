internal import FlowCore

// What is said about the project file.

extension Problem {
  static func word(_ word: String, owner: String, among words: [String]) -> Problem {
    let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    return Problem(
      code: "F1605", message: "\(owner) must be \(list), not '\(word)'",
      near: Suggestion.nearest(to: word, among: words))
  }

  static func pattern(_ message: String) -> Problem { Problem(code: "F1607", message: message) }

  static func missingPath(_ path: String) -> Problem {
    Problem(code: "F1606", message: "'\(path)' leads to no file and no folder")
  }

  static func secondProjectFile(_ path: String) -> Problem {
    Problem(
      code: "F1613",
      message: "'\(path)' stands beside 'flow.yaml', and a project has one file; remove one")
  }
}
