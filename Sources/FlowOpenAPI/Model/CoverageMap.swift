internal import FlowCore
internal import FlowSchema
private import Synchronization

/// The parts of an operation, found when they are first asked for.
final class CoverageCache: Sendable {
  private let map = Mutex<CoverageMap?>(nil)

  /// Returns the parts, made once.
  func map(_ make: () -> CoverageMap) -> CoverageMap {
    if let map = map.withLock({ $0 }) { return map }
    let new = make()
    map.withLock { $0 = new }
    return new
  }
}

/// The parts of an operation, with the properties of its bodies.
struct CoverageMap: Sendable {
  private(set) var parts: [ContractPart] = []
  private var names: Set<String> = []
  /// The names of properties and of all places around them.
  private var ways: Set<String> = []

  mutating func add(_ kind: ContractPart.Kind, _ name: String) {
    if names.insert(name).inserted { parts.append(ContractPart(kind, name)) }
  }

  /// Adds a property, and the places around it.
  mutating func addProperty(_ start: String, _ pointer: String) {
    add(.property, start + " " + pointer)
    var way = pointer
    while let slash = way.utf8.lastIndex(of: UInt8(ascii: "/")),
      ways.insert(start + " " + way).inserted
    {
      way = String(way[..<slash])
    }
  }

  /// Notes the properties that a value has.
  func note(_ value: Value?, _ start: String, _ found: inout Set<String>) {
    var waiting: [(pointer: JSONPointer, value: Value)] = value.map { [(.root, $0)] } ?? []
    while let (pointer, value) = waiting.popLast() {
      for (step, part) in value.steps {
        for inner in Set([pointer.appending(step), pointer.appending("*")]) {
          let name = start + " " + inner.description
          guard ways.contains(name) else { continue }
          if names.contains(name) { found.insert(name) }
          waiting.append((inner, part))
        }
      }
    }
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
