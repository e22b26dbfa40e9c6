package import FlowCore

/// The demands of a schema on one kind of value, collected from its keywords and from those of the
/// schemas that apply beside it.
///
/// Of alternatives it has one: its number is chosen by the reader.
package struct SchemaShape {
  private static let mostLevels = 30

  package private(set) var types = TypeSet(rawValue: 0x7F)
  /// The values of `enum` or `const`, or nil.
  package private(set) var values: [Value]?
  package private(set) var numbers: [Value] = []
  package private(set) var multiples: [Value] = []
  package private(set) var formats: [SchemaFormat] = []
  package private(set) var patterns: [String] = []
  package private(set) var required: [String] = []
  package private(set) var properties: [Keyword.Properties] = []
  package private(set) var items: [Keyword.Items] = []
  package private(set) var contains: [Keyword.Contains] = []
  package private(set) var isUnique = false
  /// The greatest number of alternatives at one place, at least 1.
  package private(set) var choices = 1
  private var counts: [Keyword.Count: Int] = [:]

  /// Collects the demands of nodes, and of the alternatives with a number, from 0, or the last ones.
  package init(of nodes: [Int], in code: SchemaCode, choice: Int) {
    for node in nodes { add(node, code, choice, Self.mostLevels) }
  }

  /// Collects the demands of nodes alone, not of those that they refer to.
  init(ofKeywordsOf nodes: [SchemaNode]) {
    for node in nodes { for keyword in node.keywords { add(keyword) } }
  }

  /// The closest bound of a length, or nil.
  package func count(_ count: Keyword.Count) -> Int? { counts[count] }

  /// The nodes of a property, none if nothing is demanded of it.
  package func nodes(of name: String) -> [Int] {
    properties.flatMap { properties -> [Int] in
      var nodes = properties.patterns.filter { $0.pattern.matches(name) == true }.map(\.node)
      if let place = properties.names.position(of: name, guess: 0) {
        nodes.append(properties.nodes[place])
      } else if nodes.isEmpty, let additional = properties.additional {
        nodes.append(additional)
      }
      return nodes
    }
  }

  private mutating func add(_ node: Int, _ code: SchemaCode, _ choice: Int, _ levels: Int) {
    guard levels > 0 else { return }
    for keyword in code.nodes[node].keywords {
      switch keyword {
      case .reference(let target): add(target, code, choice, levels - 1)
      case .allOf(let nodes): for node in nodes { add(node, code, choice, levels - 1) }
      case .anyOf(let nodes), .oneOf(let nodes):
        choices = max(choices, nodes.count)
        guard let last = nodes.indices.last else { break }
        add(nodes[min(choice, last)], code, choice, levels - 1)
      default: add(keyword)
      }
    }
  }

  private mutating func add(_ keyword: Keyword) {
    switch keyword {
    case .type(let own):
      types.formIntersection(own.contains(.number) ? own.union(.integer) : own)
    case .constant(let value): values = [value]
    case .enumeration(let set): values = values ?? set.values
    case .bound(_, _, let value): numbers.append(value)
    case .multiple(_, let value): multiples.append(value)
    case .count(let count, let limit):
      let known = counts[count] ?? limit
      counts[count] = count.isLeast ? max(known, limit) : min(known, limit)
    case .uniqueItems: isUnique = true
    case .pattern(let pattern): patterns.append(pattern.source)
    case .format(let format): formats.append(format)
    case .required(let names): required += names.filter { !required.contains($0) }
    case .properties(let own): properties.append(own)
    case .items(let own): items.append(own)
    case .contains(let own): contains.append(own)
    default: break
    }
  }
}

extension Keyword.Count {
  fileprivate var isLeast: Bool {
    switch self {
    case .minLength, .minItems, .minProperties: true
    case .maxLength, .maxItems, .maxProperties: false
    }
  }
}
