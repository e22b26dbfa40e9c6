internal import FlowCore
internal import FlowSystem
private import Synchronization

extension OpenAPIOperation {
  /// Everything that tests can cover.
  ///
  /// It has the operation, its parameters, its request body, its statuses, and the properties of
  /// bodies and responses: at most 1,000 of each body, and at most 8 levels deep.
  public var parts: [CoveragePart] { coverage.map(of: self).parts }

  /// Returns the parts that a call covers, in their order.
  ///
  /// A property is covered if it is present, whatever its value.
  public func covered(
    by request: OpenAPIRequest, _ response: OpenAPIResponseValue?
  ) -> [CoveragePart] {
    let map = coverage.map(of: self)
    var found: Set<String> = [name]
    for parameter in parameters where has(parameter, request) {
      found.insert(Self.name(of: parameter, name))
    }
    if request.body.field != nil { found.insert(name + " request") }
    map.note(request.body.value, name + " request", &found)
    if let response, let declared = self.response(for: response.status) {
      let name = name + " " + declared.status.description
      found.insert(name)
      if case .json(let value) = response.body { map.note(value, name, &found) }
    }
    return map.parts.filter { found.contains($0.name) }
  }

  static func name(of parameter: OpenAPIParameter, _ operation: String) -> String {
    operation + " " + parameter.place.rawValue + " " + parameter.name
  }

  private func has(_ parameter: OpenAPIParameter, _ request: OpenAPIRequest) -> Bool {
    switch parameter.place {
    case .path: true
    case .query:
      request.query.contains {
        $0.name.isIdentical(to: parameter.name) || $0.name.hasPrefix(parameter.name + "[")
      } || hasMembers(of: parameter, request)
    case .header:
      request.headers.contains { $0.name.lowercased() == parameter.name.lowercased() }
    case .cookie:
      request.headers.contains {
        $0.name.lowercased() == "cookie" && (" " + $0.value).contains(" \(parameter.name)=")
      }
    }
  }

  /// True if a query has members of an object that are parameters of their own.
  private func hasMembers(of parameter: OpenAPIParameter, _ request: OpenAPIRequest) -> Bool {
    guard parameter.style == .form, parameter.explodes,
      let reader = ContractCheck(self, .request).reader(parameter.schema),
      reader.isObject(reader.code.root)
    else { return false }
    let names = reader.names(of: reader.code.root)
    return request.query.contains { names.contains(where: $0.name.isIdentical) }
  }
}

/// The parts of an operation, found when they are first asked for.
final class CoverageCache: Sendable {
  private let map = Mutex<CoverageMap?>(nil)

  func map(of operation: OpenAPIOperation) -> CoverageMap {
    if let map = map.withLock({ $0 }) { return map }
    let new = CoverageMap(operation)
    map.withLock { $0 = new }
    return new
  }
}

/// The parts of an operation, with the properties of its bodies.
struct CoverageMap: Sendable {
  private(set) var parts: [CoveragePart] = []
  private var names: Set<String> = []

  init(_ operation: OpenAPIOperation) {
    let name = operation.name
    add(.operation, name)
    for parameter in operation.parameters {
      add(.parameter, OpenAPIOperation.name(of: parameter, name))
    }
    if let body = operation.body {
      add(.body, name + " request")
      for content in body.contents where content.hasProperties {
        addProperties(of: content.schema, .request, name + " request")
      }
    }
    for response in operation.responses {
      let name = name + " " + response.status.description
      add(.status, name)
      for content in response.contents ?? [] where content.hasProperties {
        addProperties(of: content.schema, .response, name)
      }
    }
  }

  private mutating func add(_ kind: CoveragePart.Kind, _ name: String) {
    if names.insert(name).inserted { parts.append(CoveragePart(kind: kind, name: name)) }
  }

  private mutating func addProperties(
    of schema: OpenAPISchema?, _ direction: OpenAPISchema.Direction, _ start: String
  ) {
    guard let schema = try? schema?.schema(in: direction) else { return }
    for pointer in PropertyPaths.all(in: schema.code) {
      add(.property, start + " " + pointer)
    }
  }

  /// Notes the properties that a value has.
  func note(_ value: Value?, _ start: String, _ found: inout Set<String>) {
    var waiting: [(pointer: JSONPointer, value: Value)] = value.map { [(.root, $0)] } ?? []
    while let (pointer, value) = waiting.popLast() {
      for (step, part) in value.steps {
        let inner = pointer.appending(step)
        let name = start + " " + inner.description
        if names.contains(name) { found.insert(name) }
        // A list itself is no property, but its elements may have some.
        if step == "*" || names.contains(name) { waiting.append((inner, part)) }
        if step != "*", !names.contains(name) { waiting.append((pointer.appending("*"), part)) }
      }
    }
  }
}

extension OpenAPIContent {
  fileprivate var hasProperties: Bool {
    let type = MediaType(mediaType)
    return type.isJSON || type.isForm || type.isMultipart || type.type == "*"
      || type.type == "application" && type.subtype == "*"
  }
}

extension Value {
  /// The parts of a value by the steps of properties: names, or `*` for all elements.
  fileprivate var steps: [(String, Value)] {
    switch self {
    case .list(let values): values.map { ("*", $0) }
    case .map(let map): map.entries.map { ($0.key.interpolated, $0.value) }
    case .record(let record): zip(record.type.fields, record.values).map { ($0.name, $1) }
    case .optional(let value?): value.steps
    default: []
    }
  }
}

/// The properties that a schema names, breadth first.
enum PropertyPaths {
  private static let mostPaths = 1_000
  private static let mostLevels = 8
  private static let mostVisits = 20_000

  /// Returns pointers such as `/items/*/sku`, each once.
  static func all(in code: SchemaCode) -> [String] {
    var (found, known) = ([String](), Set<String>())
    var waiting: [(node: Int, pointer: JSONPointer, levels: Int)] = [(code.root, .root, mostLevels)]
    var seen: Set<Visit> = []
    var next = 0
    while next < waiting.count, next < mostVisits, found.count < mostPaths {
      let (node, pointer, levels) = waiting[next]
      next += 1
      guard seen.insert(Visit(node: node, pointer: pointer)).inserted else { continue }
      for keyword in code.nodes[node].keywords {
        for (target, step) in keyword.steps {
          guard let step else {
            waiting.append((target, pointer, levels))
            continue
          }
          guard levels > 0 else { continue }
          let inner = pointer.appending(step)
          if step != "*", known.insert(inner.description).inserted { found.append(inner.description) }
          waiting.append((target, inner, levels - 1))
        }
      }
    }
    return found
  }

  private struct Visit: Hashable {
    let node: Int
    let pointer: JSONPointer
  }
}

extension Keyword {
  /// The nodes inside with the steps to their values, nil for the same value.
  fileprivate var steps: [(node: Int, step: String?)] {
    switch self {
    case .reference(let node), .dynamicReference(_, let node): [(node, nil)]
    case .allOf(let nodes), .anyOf(let nodes), .oneOf(let nodes): nodes.map { ($0, nil) }
    case .condition(let condition):
      [condition.then, condition.otherwise].compactMap { node in node.map { ($0, nil) } }
    case .properties(let properties):
      zip(properties.nodes, properties.names.names).map { ($0, $1) }
        + (properties.additional.map { [($0, "*")] } ?? [])
    case .items(let items): (items.first + (items.rest.map { [$0] } ?? [])).map { ($0, "*") }
    default: []
    }
  }
}
