internal import FlowCore

// What is said about the project file.

extension Problem {
  static func word(_ word: String, owner: String, among words: [String]) -> Problem {
    let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    return Problem(
      code: .malformedProjectValue, message: "\(owner) must be \(list), not '\(word)'",
      near: Suggestion.nearest(to: word, among: words))
  }

  static func pattern(_ message: String) -> Problem {
    Problem(code: .malformedPattern, message: message)
  }

  static func missingPath(_ path: String) -> Problem {
    Problem(code: .missingProjectPath, message: "'\(path)' leads to no file and no folder")
  }

  static func secondProjectFile(_ path: String) -> Problem {
    Problem(
      code: .secondProjectFile,
      message: "'\(path)' stands beside 'flow.yaml', and a project has one file; remove one")
  }
}
