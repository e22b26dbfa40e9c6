/// A difference between two entries of flow.lock, at one place.
public struct LockDifference: Sendable, Hashable, CustomStringConvertible {
  /// The kinds of differences, with the values.
  enum Change: Sendable, Hashable {
    case added(Value)
    case removed(Value)
    case changed(Value, Value)
  }

  /// The place in the entry, such as `tools.add.description`.
  public let path: String
  let change: Change

  private static let longest = 200

  /// `tools.add.description: "Adds." -> "Adds numbers."`, `tools.sub: added`.
  public var description: String {
    switch change {
    case .added(let value): "\(path): added\(Self.shown(value))"
    case .removed(let value): "\(path): removed\(Self.shown(value))"
    case .changed(let old, let new):
      "\(path): \(old.summary(limit: Self.longest)) -> \(new.summary(limit: Self.longest))"
    }
  }

  private static func shown(_ value: Value) -> String {
    switch value {
    case .map, .record: ""
    default: " " + value.summary(limit: longest)
    }
  }

  /// Returns the differences between two entries, in the order of their names.
  public static func between(_ old: Value, and new: Value) -> [LockDifference] {
    differences(old, new, at: "")
  }

  private static func differences(_ old: Value, _ new: Value, at path: String) -> [LockDifference] {
    guard case .map(let before) = old, case .map(let after) = new else {
      return old == new ? [] : [LockDifference(path: path, change: .changed(old, new))]
    }
    let names = before.names.union(after.names).sorted()
    return names.flatMap { name -> [LockDifference] in
      let place = path.isEmpty ? Value.keyText(name) : "\(path).\(Value.keyText(name))"
      switch (before[name], after[name]) {
      case (let old?, let new?): return differences(old, new, at: place)
      case (let old?, nil): return [LockDifference(path: place, change: .removed(old))]
      case (nil, let new?): return [LockDifference(path: place, change: .added(new))]
      case (nil, nil): return []
      }
    }
  }
}

extension ValueMap {
  fileprivate var names: Set<String> {
    Set(entries.compactMap { if case .string(let name) = $0.key { name } else { nil } })
  }
}
