internal import FlowCore

/// An operation of a description with its parts.
struct OperationCoverage {
  /// Its name, empty for parts of no operation.
  let name: String
  /// True if a call covers it, or a part of it.
  fileprivate(set) var isCovered = false
  /// The number of covered parts among all, the operation itself included.
  fileprivate(set) var total = (covered: 0, all: 0)
  /// The names of the parts that are not covered, in the order of the description.
  fileprivate(set) var missing: [String] = []
}

extension ContractCoverage.Description {
  /// The operations in the order of the description, with their parts.
  ///
  /// The name of a part starts with that of its operation and a space.
  var operationParts: [OperationCoverage] {
    let names = Set(parts.filter { $0.kind == .operation }.map(\.name))
    var (all, positions): ([OperationCoverage], [String: Int]) = ([], [:])
    for part in parts {
      let owner = part.kind == .operation ? part.name : part.name.owner(among: names)
      let position = positions[owner, default: all.count]
      if position == all.count {
        positions[owner] = position
        all.append(OperationCoverage(name: owner))
      }
      let isCovered = coverers[part.name] != nil
      all[position].total.all += 1
      all[position].total.covered += isCovered ? 1 : 0
      if isCovered {
        all[position].isCovered = true
      } else {
        all[position].missing.append(part.name)
      }
    }
    return all
  }
}

extension String {
  /// Returns the longest of some names that the string starts with, before a space.
  ///
  /// Empty if there is none.
  fileprivate func owner(among names: Set<String>) -> String {
    var rest = self[...]
    while let space = rest.lastIndex(of: " ") {
      rest = rest[..<space]
      if names.contains(String(rest)) { return String(rest) }
    }
    return ""
  }
}
