/// A part of an answer that a script reads.
enum ScriptAnswer: Equatable {
  enum Key: Equatable {
    case name(String)
    case index(Int)
  }

  case json([Key])
  case status
  case text
  case header(String)

  /// Returns the expression for the part of a step's answer.
  func code(_ subject: String) -> String {
    switch self {
    case .status: subject + ".status"
    case .text: subject + ".text"
    case .header(let name): "\(subject).headers[\(name.lowercased().celLiteral)]"
    case .json(let keys):
      keys.reduce(subject + ".json") { code, key in
        switch key {
        case .index(let index): "\(code)[\(index)]"
        case .name(let name) where name.isFieldName: "\(code).\(name)"
        case .name(let name): "\(code)[\(name.celLiteral)]"
        }
      }
    }
  }

  /// Returns the expression for the part, or for null where the answer has none.
  func lenientCode(_ subject: String) -> String {
    switch self {
    case .status, .text: return code(subject)
    case .header(let name):
      return "dyn(\(subject).headers)[?\(name.lowercased().celLiteral)].orValue(null)"
    case .json(let keys):
      if keys.isEmpty { return code(subject) }
      let path = keys.reduce(subject + ".json") { code, key in
        switch key {
        case .index(let index): "\(code)[?\(index)]"
        case .name(let name) where name.isFieldName: "\(code).?\(name)"
        case .name(let name): "\(code)[?\(name.celLiteral)]"
        }
      }
      return path + ".orValue(null)"
    }
  }

  /// The place of the part in the answer, as `secret` of a step names it, or nil if it cannot.
  var place: String? {
    switch self {
    case .status: return nil
    case .text: return "text"
    case .header(let name): return name.isHeaderName ? "headers.\(name.lowercased())" : nil
    case .json(let keys):
      var place = "json"
      for key in keys {
        switch key {
        case .index(let index): place += "[\(index)]"
        case .name(let name):
          guard name.isName else { return nil }
          place += ".\(name)"
        }
      }
      return place
    }
  }

  /// The last name in it, or an empty string.
  var name: String {
    switch self {
    case .status, .text: return ""
    case .header(let name): return name
    case .json(let keys):
      let names = keys.compactMap { if case .name(let name) = $0 { name } else { nil } }
      return names.last ?? ""
    }
  }
}
