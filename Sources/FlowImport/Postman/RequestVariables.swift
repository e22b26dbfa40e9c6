internal import FlowRedaction
internal import FlowSystem

/// The variables of editors that are drawn or read from an answer.
extension PostmanScenario {
  /// Returns the value of a drawn variable with arguments, such as `$randomInt 1 10`.
  mutating func editorValue(_ name: String, line: Int) -> ImportedText? {
    let words = name.split { " ,()".contains($0) }.map(String.init)
    let numbers = words.dropFirst().compactMap { Int($0) }
    switch words[0] {
    case "$uuid", "$random.uuid", "$randomUUID", "$guid":
      return draw("uuid", "random", "uuid", [], ".uuid")
    case "$randomInt", "$random.integer":
      guard numbers.count == 2, numbers[0] < numbers[1] else {
        return words.count == 1 ? ImportedText(expression: randomNumber(from: 0, to: 1000)) : nil
      }
      return ImportedText(expression: randomNumber(from: numbers[0], to: numbers[1] - 1))
    case "$timestamp" where words.count == 1:
      return ImportedText(expression: "int(\(now()))")
    case "$timestamp":
      return time(shifted: words.dropFirst()).map { ImportedText(expression: "int(\($0))") }
    case "$datetime", "$localDatetime":
      guard words.count > 1, words[1].lowercased() == "iso8601" else { return nil }
      let time = words.count == 2 ? now() : time(shifted: words.dropFirst(2))
      return time.map { ImportedText(expression: "string(\($0))") }
    default: return environment(words, line: line)
    }
  }

  /// Returns the expression for the time with an offset such as `-3 h`.
  private mutating func time(shifted words: ArraySlice<String>) -> String? {
    let words = Array(words)
    guard words.count == 2, let count = Int(words[0]) else { return nil }
    let units = ["w": 7 * 24 * 60, "d": 24 * 60, "h": 60, "m": 1]
    if let minutes = units[words[1]], abs(count) < 1_000_000 {
      return "\(now()) + duration('\(count * minutes)m')"
    }
    guard ["s", "ms"].contains(words[1]), abs(count) < 1_000_000_000 else { return nil }
    return "\(now()) + duration('\(count)\(words[1])')"
  }

  /// Returns the input for a variable of the environment.
  private mutating func environment(_ words: [String], line: Int) -> ImportedText? {
    if ["$processEnv", "$dotenv"].contains(words[0]), words.count == 2 {
      return variable(words[1].replacing("%", with: ""), line: line)
    }
    guard words.count == 1, words[0].hasPrefix("$env.") else { return nil }
    return variable(String(words[0].dropFirst(5)), line: line)
  }

  /// Returns a part of an earlier answer, such as `login.response.body.$.token`.
  mutating func answer(_ name: String, line: Int) -> ImportedText? {
    let parts = name.split(separator: ".", maxSplits: 3).map(String.init)
    guard parts.count >= 3, parts[1] == "response", let id = labels[parts[0]] else { return nil }
    let rest = parts.count == 4 ? parts[3] : ""
    scenario.keepID(id)
    switch parts[2] {
    case "headers": return part(.header(rest), of: id)
    case "body":
      if rest.isEmpty || rest == "*" { return part(.text, of: id) }
      let path = rest.hasPrefix("$") ? rest : "$." + rest
      guard let json = try? JSONPath(ImportedText(path), in: "steps.\(id).json") else { return nil }
      if let keys = json.keys { hide(.json(keys.map(ScriptAnswer.Key.init)), of: id) }
      return ImportedText(expression: json.code)
    default: return nil
    }
  }

  private mutating func part(_ part: ScriptAnswer, of id: String) -> ImportedText {
    hide(part, of: id)
    return ImportedText(expression: part.code("steps.\(id)"))
  }

  /// Hides a part of a step's answer with a secret name, or read into a variable that has one.
  private mutating func hide(_ part: ScriptAnswer, of id: String) {
    guard ([part.name] + open).contains(where: { CredentialNames.isSecret($0) }) else { return }
    if let place = part.place { scenario.hide(place, ofStep: id) }
  }
}

extension ScriptAnswer.Key {
  fileprivate init(_ key: JSONPath.Key) {
    switch key {
    case .name(let name): self = .name(name)
    case .index(let index): self = .index(index)
    }
  }
}
