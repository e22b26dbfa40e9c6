internal import FlowCore
internal import FlowRedaction

/// The parts of services' descriptions that the runs of one scenario cover.
package struct CoveredParts: Sendable, Equatable {
  /// One description.
  struct Description: Sendable, Equatable {
    /// Its parts, in its order.
    let parts: [ContractPart]
    /// The names of the covered parts.
    var covered: Set<String> = []
    /// The number of calls whose recorded answers were served.
    var replayed = 0
    /// The number of calls that a component answered.
    var live = 0
  }

  /// The descriptions by their paths.
  private(set) var descriptions: [String: Description] = [:]

  /// Creates the parts of a scenario without a description.
  package init() {}

  /// Adds a description of which nothing is covered yet.
  mutating func declare(_ path: String, _ parts: [ContractPart]) {
    if descriptions[path] == nil { descriptions[path] = Description(parts: parts) }
  }

  /// Adds a call.
  ///
  /// A call that covers nothing is none of the description's operations.
  mutating func add(_ covered: [String], of path: String, isLive: Bool) {
    guard !covered.isEmpty, descriptions[path] != nil else { return }
    descriptions[path]?.covered.formUnion(covered)
    if isLive { descriptions[path]?.live += 1 } else { descriptions[path]?.replayed += 1 }
  }

  /// Adds another run.
  package mutating func add(_ other: CoveredParts) {
    for (path, description) in other.descriptions {
      declare(path, description.parts)
      descriptions[path]?.covered.formUnion(description.covered)
      descriptions[path]?.replayed += description.replayed
      descriptions[path]?.live += description.live
    }
  }
}

/// The parts of services' descriptions that the scenarios of a suite cover.
package struct ContractCoverage: Sendable, Equatable {
  /// The scenarios that cover a part.
  struct Coverers: Sendable, Equatable {
    /// The greatest number of paths kept.
    static let mostPaths = 20

    /// The number of scenarios, 1 or more.
    var count: Int
    /// The paths of the first ones, in the order of the suite.
    var paths: [String]

    mutating func add(_ other: Coverers) {
      count += other.count
      paths += other.paths.prefix(Self.mostPaths - paths.count)
    }
  }

  /// The number of parts of one kind.
  package struct Total: Sendable, Equatable {
    let kind: ContractPart.Kind
    var covered = 0
    var all = 0

    /// The covered percentage with one digit, rounded down, 100 without parts.
    package var percent: String {
      let tenths = all == 0 ? 1_000 : covered * 1_000 / all
      return "\(tenths / 10).\(tenths % 10)"
    }

    /// Returns the required percentage of its kind if less is covered, or nil.
    func missed(of thresholds: [ContractPart.Kind: Decimal]) -> Decimal? {
      guard let threshold = thresholds[kind] else { return nil }
      // Without a division, so that 2 of 3 is not 66.67 %. A product that overflows is not reached.
      let share = try? threshold * Decimal(all)
      return share.map { Decimal(100 * covered) >= $0 } == true ? nil : threshold
    }
  }

  /// One description.
  package struct Description: Sendable, Equatable {
    /// The path of its file, from the working directory on if the file is in there.
    package fileprivate(set) var path: String
    /// Its parts, in its order.
    private(set) var parts: [ContractPart] = []
    /// The scenarios that cover each covered part, by its name.
    private(set) var coverers: [String: Coverers] = [:]
    /// The number of calls whose recorded answers were served.
    var replayed = 0
    /// The number of calls that a component answered.
    var live = 0
    private var names: Set<String> = []

    init(_ path: String) { self.path = path }

    /// The totals of the kinds, in the order of the kinds.
    package var totals: [Total] {
      ContractPart.Kind.allCases.map { kind in
        var total = Total(kind: kind)
        for part in parts where part.kind == kind {
          total.all += 1
          if coverers[part.name] != nil { total.covered += 1 }
        }
        return total
      }
    }

    /// Adds the parts that it does not have.
    ///
    /// Parts of a suite may have been tested with other versions of the file.
    mutating func add(_ parts: [ContractPart]) {
      // As for nearly all scenarios.
      if parts == self.parts { return }
      for part in parts where names.insert(part.name).inserted { self.parts.append(part) }
    }

    /// Adds scenarios that cover one of its parts.
    mutating func add(_ new: Coverers, to part: String) {
      guard names.contains(part) else { return }
      coverers[part, default: Coverers(count: 0, paths: [])].add(new)
    }

    fileprivate func redacted(by redactor: Redactor) -> Description {
      var copy = Description(redactor.redacted(path))
      (copy.replayed, copy.live) = (replayed, live)
      for part in parts {
        let name = redactor.redacted(part.name)
        copy.add([ContractPart(part.kind, name)])
        guard let coverers = coverers[part.name] else { continue }
        copy.add(
          Coverers(count: coverers.count, paths: coverers.paths.map(redactor.redacted)), to: name)
      }
      return copy
    }
  }

  /// The descriptions by their paths.
  private var byPath: [String: Description] = [:]

  /// Creates the coverage of a suite without a description.
  package init() {}

  /// The descriptions, ordered by their paths.
  package var descriptions: [Description] {
    byPath.values.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// True without a description.
  package var isEmpty: Bool { byPath.isEmpty }

  /// Adds a scenario.
  package mutating func add(_ covered: CoveredParts, of scenario: String) {
    for (path, one) in covered.descriptions {
      var description = byPath.removeValue(forKey: path) ?? Description(path)
      description.add(one.parts)
      for part in one.covered { description.add(Coverers(count: 1, paths: [scenario]), to: part) }
      description.replayed += one.replayed
      description.live += one.live
      byPath[path] = description
    }
  }

  /// Adds the scenarios of another part of the suite.
  package mutating func add(_ other: ContractCoverage) {
    for description in other.descriptions { add(description) }
  }

  mutating func add(_ other: Description) {
    guard var description = byPath.removeValue(forKey: other.path) else {
      byPath[other.path] = other
      return
    }
    description.add(other.parts)
    for (part, coverers) in other.coverers { description.add(coverers, to: part) }
    description.replayed += other.replayed
    description.live += other.live
    byPath[other.path] = description
  }

  /// Returns the coverage with hidden secrets.
  func redacted(by redactor: Redactor) -> ContractCoverage {
    guard redactor.isActive else { return self }
    var copy = ContractCoverage()
    for description in descriptions { copy.add(description.redacted(by: redactor)) }
    return copy
  }
}

extension ContractPart.Kind {
  /// The kind in the plural.
  var plural: String {
    switch self {
    case .operation: "operations"
    case .status: "statuses"
    case .parameter: "parameters"
    case .body: "bodies"
    case .property: "properties"
    }
  }
}
