internal import FlowCore

// What is said about a file and its keys.

extension Problem {
  static func unreadable(_ reason: String) -> Problem { Problem(code: "F1001", message: reason) }

  static func yaml(_ message: String, hasBareExpression: Bool) -> Problem {
    let note = "write quotes around an expression inside of { } or [ ]"
    return Problem(code: "F1002", message: message, notes: hasBareExpression ? [note] : [])
  }

  static func version(_ version: String?) -> Problem {
    let found = version.map { "unknown format version '\($0)', expected 1" }
    return Problem(
      code: "F1101", message: found ?? "missing 'flow: 1', the version of the format")
  }

  static func versionKind(_ actual: String) -> Problem {
    Problem(code: "F1101", message: "'flow' must be the number 1, not \(actual)")
  }

  static func unknownKey(_ key: String, owner: String, near: [String]) -> Problem {
    Problem(code: "F1102", message: "unknown key '\(key)' in \(owner)", near: near)
  }

  static func missingKey(_ key: String, owner: String) -> Problem {
    Problem(code: "F1103", message: "\(owner) has no '\(key)'")
  }

  static func wrongKind(owner: String, expected: String, actual: String) -> Problem {
    Problem(code: "F1104", message: "\(owner) must be \(expected), not \(actual)")
  }

  static func empty(_ owner: String) -> Problem {
    Problem(code: "F1104", message: "\(owner) has nothing in it")
  }

  static func negative(_ duration: String, owner: String) -> Problem {
    Problem(code: "F1104", message: "\(owner) must be zero or more, not \(duration)")
  }

  static let tag = Problem(code: "F1105", message: "tags are not allowed here")
}
