internal import FlowCore
internal import FlowTranscript

/// The alterations of the recorded answers of two versions of a suite, judged by both.
struct SuiteComparison: Sendable {
  typealias Place = CallPairs.Place

  /// The most calls that are compared with one.
  private static let mostAlike = 16

  let pairs: CallPairs
  private(set) var earlier: JudgedVersion
  private(set) var present: JudgedVersion
  /// The keys of the scenarios that are known to judge the same in both.
  private let same: Set<String>

  /// Compares two versions, with several scenarios at once.
  @concurrent init(from earlier: SuiteVersion, to present: SuiteVersion, _ jobs: Jobs) async {
    pairs = CallPairs(from: earlier.recordings, to: present.recordings)
    same = earlier.same(as: present)
    (self.earlier, self.present) = (JudgedVersion(earlier), JudgedVersion(present))
    collect()
    await self.earlier.judge(jobs)
    await self.present.judge(jobs)
  }

  /// The numbers of the earlier scenarios that may judge differently now.
  var changedEarlier: [Int] { changed(earlier.version) }
  /// The numbers of the present scenarios that may judge differently than before.
  var changedPresent: [Int] { changed(present.version) }

  /// The keys of the scenarios that may judge differently, or that only one version has.
  var changedKeys: [String] {
    let keys =
      changedPresent.map { present.version.scenarios[$0].key }
      + changedEarlier.map { earlier.version.scenarios[$0].key }
    return keys.unique.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private func changed(_ version: SuiteVersion) -> [Int] {
    version.scenarios.indices.filter { !same.contains(version.scenarios[$0].key) }
  }

  /// Returns the present calls that may notice what an earlier one noticed.
  ///
  /// They are its pair, and the calls with the same operation and input that are new or in the same
  /// scenario. Without a pair they are all with the same operation and input.
  func counterparts(of place: Place) -> [Place] {
    let alike = pairs.likenesses(of: place)
    guard let pair = pairs.later[place] else { return Array(alike.prefix(Self.mostAlike)) }
    let key = earlier.version.scenarios[place.scenario].key
    let others = alike.filter {
      $0 != pair
        && (pairs.earlier[$0] == nil || present.version.scenarios[$0.scenario].key == key)
    }
    return [pair] + others.prefix(Self.mostAlike)
  }

  /// Asks both versions for what one of them may judge differently.
  private mutating func collect() {
    for scenario in changedEarlier {
      for (place, alterations) in earlier.alterations(of: scenario) {
        earlier.want(alterations, at: place)
        for other in counterparts(of: place) {
          present.want(alterations, at: other)
          if let before = pairs.earlier[other] { earlier.want(alterations, at: before) }
        }
      }
    }
    for scenario in changedPresent {
      for (place, alterations) in present.alterations(of: scenario) {
        present.want(alterations, at: place)
        if let other = pairs.earlier[place] { earlier.want(alterations, at: other) }
      }
    }
  }
}

extension SuiteVersion {
  /// The keys of the scenarios whose digests are known, and equal in another version.
  fileprivate func same(as other: SuiteVersion) -> Set<String> {
    let digests = Dictionary(
      scenarios.map { ($0.key, $0.digest) }, uniquingKeysWith: { first, _ in first })
    return Set(
      other.scenarios.filter { scenario in
        guard let digest = scenario.digest, let own = digests[scenario.key] else { return false }
        return digest == own
      }.map(\.key))
  }
}
