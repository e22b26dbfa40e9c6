internal import FlowCore
package import FlowSystem

/// The coverage of a suite's part, for the process that makes the reports of the whole suite.
///
/// The author of results can put only names of parts and paths into a report.
extension ContractCoverage {
  private static let mostDescriptions = 10_000
  private static let mostParts = 1_000_000
  private static let longestName = 1 << 20

  /// The descriptions of one part of the suite.
  package var json: JSON { .array(descriptions.map(\.stored)) }

  /// Creates coverage from JSON.
  ///
  /// Nil if something is missing or impossible.
  package init?(_ json: JSON) {
    guard case .array(let list) = json, list.count <= Self.mostDescriptions else { return nil }
    self.init()
    for json in list {
      guard let description = Description(json, atMost: Self.mostParts, Self.longestName) else {
        return nil
      }
      add(description)
    }
  }
}

extension ContractCoverage.Description {
  fileprivate var stored: JSON {
    .object([
      .init("path", .string(path)), .init("replayed", .number(replayed)),
      .init("live", .number(live)),
      .init(
        "parts",
        .array(
          parts.map { part in
            let coverers = coverers[part.name]
            return .object(
              [.init("kind", .string(part.kind.rawValue)), .init("name", .string(part.name))]
                + (coverers.map {
                  [.init("count", .number($0.count)), .init("scenarios", .list($0.paths))]
                } ?? []))
          })),
    ])
  }

  fileprivate init?(_ json: JSON, atMost limit: Int, _ longest: Int) {
    guard let path = json["path"]?.string, path.utf8.count <= longest,
      let replayed = json["replayed"]?.count, let live = json["live"]?.count,
      replayed <= .most, live <= .most,
      case .array(let list)? = json["parts"], list.count <= limit
    else { return nil }
    self.init(path)
    (self.replayed, self.live) = (replayed, live)
    var names: Set<String> = []
    for json in list {
      guard let kind = json["kind"]?.string.flatMap(ContractPart.Kind.init),
        let name = json["name"]?.string, name.utf8.count <= longest,
        names.insert(name).inserted
      else { return nil }
      add([ContractPart(kind, name)])
      guard let count = json["count"] else { continue }
      guard let count = count.count, 1...Int.most ~= count,
        let paths = json["scenarios"]?.texts,
        1...min(count, ContractCoverage.Coverers.mostPaths) ~= paths.count
      else { return nil }
      add(ContractCoverage.Coverers(count: count, paths: paths), to: name)
    }
  }
}

extension Int {
  /// The greatest number of calls or scenarios, so that no sum overflows.
  fileprivate static let most = 1 << 32
}
