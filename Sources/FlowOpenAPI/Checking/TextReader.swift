internal import FlowCore
internal import FlowSchema
internal import FlowSystem

/// Reads texts as the values that a schema describes: `7` as a number where one is allowed.
struct TextReader {
  let code: SchemaCode

  private static let mostLevels = 50
  private static let mostNodes = 2_000

  /// Returns the value of a text.
  ///
  /// Of several readings it is the first that the schema allows, or the first of them. A text that
  /// is no number stays a text.
  func value(of text: String, _ node: Int?) -> Value {
    guard let node else { return .string(text) }
    let readings = readings(of: text, types(of: node))
    guard readings.count > 1 else { return readings.first ?? .string(text) }
    return readings.first { isAllowed($0, node) } ?? readings[0]
  }

  private func readings(of text: String, _ types: TypeSet) -> [Value] {
    var readings: [Value] = []
    if !types.isDisjoint(with: [.integer, .number]), let number = Self.number(text) {
      readings.append(number)
    }
    if types.contains(.boolean), text == "true" || text == "false" {
      readings.append(.bool(text == "true"))
    }
    if types.contains(.null), text.isEmpty || text == "null" { readings.append(.null) }
    if types.contains(.string) || readings.isEmpty { readings.append(.string(text)) }
    return readings
  }

  private static func number(_ text: String) -> Value? {
    guard let first = text.utf8.first, let last = text.utf8.last, last.isDigit,
      first.isDigit || first == UInt8(ascii: "-"), text.utf8.count <= 400,
      let value = try? Value(json: Array(text.utf8)), SchemaNumber(value) != nil
    else { return nil }
    return value
  }

  private func isAllowed(_ value: Value, _ node: Int) -> Bool {
    let part = SchemaCode(
      nodes: code.nodes, root: node, dynamicAnchors: code.dynamicAnchors, limits: code.limits)
    var validator = Validator(part, isQuick: true)
    return (try? validator.run(value)) ?? false
  }

  // MARK: - Schemas

  /// The types that a node allows, as far as its keywords say.
  func types(of node: Int) -> TypeSet {
    var budget = Self.mostNodes
    return types(of: node, Self.mostLevels, &budget)
  }

  private func types(of node: Int, _ levels: Int, _ budget: inout Int) -> TypeSet {
    let all = TypeSet(rawValue: .max)
    budget -= 1
    guard levels > 0, budget > 0 else { return all }
    return code.nodes[node].keywords.reduce(all) { types, keyword in
      switch keyword {
      case .type(let own): types.intersection(own.contains(.number) ? own.union(.integer) : own)
      case .reference(let target): types.intersection(self.types(of: target, levels - 1, &budget))
      case .allOf(let nodes):
        nodes.reduce(types) { $0.intersection(self.types(of: $1, levels - 1, &budget)) }
      case .anyOf(let nodes), .oneOf(let nodes):
        types.intersection(
          nodes.reduce(TypeSet()) { $0.union(self.types(of: $1, levels - 1, &budget)) })
      default: types
      }
    }
  }

  /// True for a node of lists, and not of texts as well.
  func isList(_ node: Int?) -> Bool { node.map { isOnly(.array, types(of: $0)) } ?? false }

  /// True for a node of objects, and not of texts as well.
  func isObject(_ node: Int?) -> Bool { node.map { isOnly(.object, types(of: $0)) } ?? false }

  private func isOnly(_ type: TypeSet, _ types: TypeSet) -> Bool {
    types.contains(type) && types.isDisjoint(with: [.string, .integer, .number, .boolean])
  }

  /// The node of a list's element.
  func element(of node: Int?, at index: Int) -> Int? {
    for keyword in keywords(of: node) {
      guard case .items(let items) = keyword else { continue }
      return index < items.first.count ? items.first[index] : items.rest
    }
    return nil
  }

  /// The node of an object's member.
  func member(of node: Int?, _ name: String) -> Int? {
    var additional: Int?
    for keyword in keywords(of: node) {
      guard case .properties(let properties) = keyword else { continue }
      if let place = properties.names.position(of: name, guess: 0) {
        return properties.nodes[place]
      }
      if additional == nil { additional = properties.additional }
    }
    return additional
  }

  /// The names of an object's members.
  func names(of node: Int?) -> [String] {
    keywords(of: node).flatMap { keyword in
      if case .properties(let properties) = keyword { properties.names.names } else { [String]() }
    }.unique
  }

  /// The names that an object always has.
  func required(in node: Int?) -> [String] {
    keywords(of: node, alternatives: false).flatMap { keyword in
      if case .required(let names) = keyword { names } else { [String]() }
    }.unique
  }

  /// True if an object has a schema for members of other names, or names none itself.
  func takesOthers(_ node: Int?) -> Bool {
    guard allowsOthers(node) else { return false }
    return names(of: node).isEmpty
      || keywords(of: node).contains { keyword in
        if case .properties(let properties) = keyword {
          properties.additional != nil
        } else {
          false
        }
      }
  }

  /// True if an object may have members of other names.
  func allowsOthers(_ node: Int?) -> Bool {
    !keywords(of: node, alternatives: false).contains { keyword in
      guard case .properties(let properties) = keyword, let other = properties.additional else {
        return false
      }
      return code.nodes[other].isNever
    }
  }

  /// The keywords of a node and of those for the same value.
  private func keywords(of node: Int?, alternatives: Bool = true) -> [Keyword] {
    guard let node else { return [] }
    var (found, waiting, seen) = ([Keyword](), [node], Set<Int>())
    while let next = waiting.popLast() {
      guard seen.insert(next).inserted else { continue }
      for keyword in code.nodes[next].keywords {
        switch keyword {
        case .reference(let target): waiting.append(target)
        case .allOf(let nodes): waiting += nodes.reversed()
        case .anyOf(let nodes) where alternatives, .oneOf(let nodes) where alternatives:
          waiting += nodes.reversed()
        default: found.append(keyword)
        }
      }
    }
    return found
  }
}
