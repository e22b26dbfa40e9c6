internal import FlowCore
internal import FlowReport
internal import FlowTranscript

/// The judgement of an alteration.
struct MutationVerdict: Sendable {
  let notice: MutationReport.Notice
  /// The first place that noticed it, or nil.
  var place: SourceSpan?
}

/// The alterations that one version of a suite is to judge, and then its judgements.
struct JudgedVersion: Sendable {
  typealias Place = CallPairs.Place

  /// An alteration to judge.
  struct Wanted: Sendable {
    let alteration: Alteration
    /// True for one of the version's own recording, without the other version.
    let isUsual: Bool
  }

  /// An alteration with its judgement.
  struct Judged: Sendable {
    let alteration: Alteration
    let verdict: MutationVerdict
    /// True for an alteration of the version's own recording, without the other version.
    let isUsual: Bool

    var isNoticed: Bool { verdict.notice == .noticed }
  }

  let version: SuiteVersion
  private var wanted: [Place: [Wanted]] = [:]
  private var judged: [Place: [Judged]] = [:]
  private var judgedByKey: [Place: [Alteration.Key: Judged]] = [:]
  /// The usual alterations of the scenarios that were asked for, by their calls.
  private var usual: [Int: [Int: [Alteration]]] = [:]

  init(_ version: SuiteVersion) { self.version = version }

  /// The number of judged alterations.
  var count: Int { judged.values.reduce(0) { $0 + $1.count } }

  /// Returns the usual alterations of a scenario's answers, in the order of the calls.
  mutating func alterations(of scenario: Int) -> [(place: Place, alterations: [Alteration])] {
    load(scenario)
    return (usual[scenario] ?? [:]).sorted { $0.key < $1.key }
      .map { (Place(scenario: scenario, call: $0.key), $0.value) }
  }

  private mutating func load(_ scenario: Int) {
    guard usual[scenario] == nil else { return }
    let alterations = version.scenarios[scenario].mutation.alterations.first
    usual[scenario] = Dictionary(grouping: alterations, by: \.call)
  }

  /// Asks for the judgement of alterations at a call, which may be another recording of theirs.
  ///
  /// An alteration that its answer cannot have is left out.
  mutating func want(_ alterations: [Alteration], at place: Place) {
    load(place.scenario)
    let transcript = version.scenarios[place.scenario].recording.transcript
    let known = Dictionary(
      (usual[place.scenario]?[place.call] ?? []).map { ($0.key, $0) },
      uniquingKeysWith: { first, _ in first })
    var present = Set((wanted[place] ?? []).map(\.alteration.key))
    for alteration in alterations where present.insert(alteration.key).inserted {
      let own = known[alteration.key]
      guard let found = own ?? alteration.moved(to: place.call, of: transcript) else { continue }
      wanted[place, default: []].append(Wanted(alteration: found, isUsual: own != nil))
    }
  }

  /// Judges what was asked for, with several scenarios at once.
  mutating func judge(_ jobs: Jobs) async {
    let scenarios = version.scenarios
    let work = Dictionary(grouping: wanted.keys, by: \.scenario).sorted { $0.key < $1.key }
      .map { scenario, places in
        (scenario: scenario, places: places.sorted { $0.call < $1.call })
      }
    var results: [[MutationVerdict]] = []
    await jobs.run(work) { [wanted] _, item in
      let alterations = item.places.flatMap { wanted[$0, default: []].map(\.alteration) }
      let scenario = scenarios[item.scenario]
      return await scenario.mutation.verdicts(of: alterations, scenario.baseline)
    } receive: { verdicts in
      results.append(verdicts)
    }
    for (item, verdicts) in zip(work, results) {
      var rest = verdicts[...]
      for place in item.places {
        let asked = wanted[place] ?? []
        judged[place] = zip(asked, rest).map {
          Judged(alteration: $0.alteration, verdict: $1, isUsual: $0.isUsual)
        }
        judgedByKey[place] = Dictionary(
          (judged[place] ?? []).map { ($0.alteration.key, $0) },
          uniquingKeysWith: { first, _ in first })
        rest = rest.dropFirst(asked.count)
      }
    }
  }

  /// The judged alterations of a call.
  func judgements(at place: Place) -> [Judged] { judged[place] ?? [] }

  /// Returns the judgement of an alteration of a call, or nil.
  func judgement(of key: Alteration.Key, at place: Place) -> Judged? {
    judgedByKey[place]?[key]
  }
}
