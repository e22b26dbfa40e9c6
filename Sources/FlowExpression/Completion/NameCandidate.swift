internal import FlowCore

/// A name that may be written at the end of an unfinished expression.
package struct NameCandidate: Sendable, Hashable {
  /// The kind of a name.
  package enum Kind: Sendable {
    case variable, group, field, function, macro, word
  }

  package let name: String
  package let kind: Kind
  /// The type of its value, or the forms of a function.
  package let detail: String
  /// One sentence on a field, or an empty string.
  package let summary: String

  init(_ name: String, _ kind: Kind, _ detail: String, _ summary: String = "") {
    (self.name, self.kind, self.detail, self.summary) = (name, kind, detail, summary)
  }
}

extension UnfinishedExpression {
  /// Returns the names that may follow, the nearest first: variables, then fields, then functions.
  package func candidates(in outer: Environment) -> [NameCandidate] {
    let environment = environment(in: outer)
    guard let receiver else { return Self.names(environment) }
    let variables = environment.parts(after: receiver + ".")
    guard let type = (try? Expression(receiver, in: environment))?.type else {
      return variables + Self.functions(after: receiver)
    }
    return variables + Self.fields(of: type) + Self.members(of: type)
  }

  private static func names(_ environment: Environment) -> [NameCandidate] {
    let functions = Library.byName.filter {
      !$0.key.contains(".") && $0.value.contains { !$0.isMember }
    }
    let groups = Set(
      Library.names.filter { $0.contains(".") }.map { String($0.prefix { $0 != "." }) })
    var names = environment.parts(after: "")
    for name in functions.keys.sorted() {
      names.append(NameCandidate(name, .function, forms(of: name, isMember: false)))
    }
    names.append(NameCandidate("has", .macro, "has(field) -> bool"))
    for group in groups.sorted() { names.append(NameCandidate(group, .group, "functions")) }
    for word in ["true", "false", "null"] { names.append(NameCandidate(word, .word, "")) }
    return names
  }

  /// Returns the functions with a prefix such as `math`.
  private static func functions(after group: String) -> [NameCandidate] {
    Library.names.filter { $0.hasPrefix(group + ".") }.map { name in
      let rest = String(name.dropFirst(group.count + 1))
      let text = forms(of: name, isMember: false)
      return NameCandidate(rest, text.isEmpty ? .macro : .function, text)
    }
  }

  private static func fields(of type: ExpressionType) -> [NameCandidate] {
    switch type.withoutNull {
    case .record(let record):
      record.fields.map { NameCandidate($0.name, .field, "\($0.type)", $0.summary) }
    case .optional(let wrapped): fields(of: wrapped)
    default: []
    }
  }

  private static func members(of type: ExpressionType) -> [NameCandidate] {
    let type = type.withoutNull
    let functions = Library.byName.filter { entry in
      !entry.key.contains(".")
        && entry.value.contains { function in
          function.isMember
            && function.signatures.contains { $0.parameters.first?.mayTake(type) ?? false }
        }
    }
    let macros = Macro.allCases.map(\.rawValue).filter { name in
      switch type {
      case .list, .map, .dyn: !name.contains(".") && name != "has" && !name.hasPrefix("opt")
      case .optional: name.hasPrefix("opt")
      default: false
      }
    }
    let members = functions.keys.sorted().map { name in
      NameCandidate(name, .function, forms(of: name, isMember: true))
    }
    return members + macros.map { NameCandidate($0, .macro, "") }
  }

  /// Returns the forms of a function: `string.startsWith(string) -> bool`.
  private static func forms(of name: String, isMember: Bool) -> String {
    let functions = (Library.byName[name] ?? []).filter { $0.isMember == isMember }
    let forms = functions.flatMap(\.signatures).map { signature in
      let parameters = isMember ? Array(signature.parameters.dropFirst()) : signature.parameters
      let receiver = isMember ? "\(signature.parameters.first ?? .dyn)." : ""
      return "\(receiver)\(name)\(ExpressionType.list(parameters)) -> \(signature.result)"
    }
    return forms.prefix(4).joined(separator: "\n")
  }
}

extension Library {
  /// All functions by their names.
  fileprivate static let byName = Dictionary(grouping: functions.values, by: \.name).mapValues {
    $0.sorted { $0.key.count < $1.key.count }
  }
}

extension Environment {
  /// Returns the parts of names after a prefix up to the next point, the latest declared first.
  fileprivate func parts(after prefix: String) -> [NameCandidate] {
    var (parts, slots) = ([String: NameCandidate](), [String: Slot]())
    for name in names where name.utf8.starts(with: prefix.utf8) {
      let rest = name.utf8.dropFirst(prefix.utf8.count)
      guard let part = String(Substring(rest.prefix { $0 != UInt8(ascii: ".") })).nonEmpty,
        let binding = self[name]
      else { continue }
      let isWhole = part.utf8.count == rest.count
      // A step and its error are two names, of which the step is the value.
      if isWhole {
        parts[part] = NameCandidate(part, .variable, "\(binding.type)")
      } else if parts[part] == nil {
        parts[part] = NameCandidate(part, .group, "")
      }
      if slots[part].map({ $0.isBefore(binding.slot) }) ?? true { slots[part] = binding.slot }
    }
    return parts.sorted { first, second in
      guard let one = slots[first.key], let other = slots[second.key], one != other else {
        return first.key < second.key
      }
      return other.isBefore(one)
    }.map(\.value)
  }
}

extension Slot {
  fileprivate func isBefore(_ other: Slot) -> Bool {
    (level, index) < (other.level, other.index)
  }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

extension ExpressionType {
  /// True if a parameter of this type may take a value of another type.
  fileprivate func mayTake(_ other: ExpressionType) -> Bool {
    switch (self, other) {
    case (.parameter, _), (.dyn, _), (_, .dyn), (_, .unknown): true
    case (.string, .enumeration), (.nullable, .null): true
    case (.list, .list), (.map, .map), (.optional, .optional), (.map, .record): true
    case (.nullable(let wrapped), _): wrapped.mayTake(other)
    default: self == other
    }
  }
}
