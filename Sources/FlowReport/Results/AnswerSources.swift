internal import FlowCore
internal import FlowSystem

/// The components of tested scenarios, by the source of their answers.
package struct AnswerSources: Sendable, Equatable {
  /// The names of the components whose recorded answers were served.
  package private(set) var replayed: Set<String>
  /// The names of the components that were called.
  package private(set) var live: Set<String>
  /// True if a replayed component reaches servers, programs or databases.
  package private(set) var replaysSystems: Bool

  /// Creates the sources of one scenario, by default of one without components.
  package init(
    replayed: Set<String> = [], live: Set<String> = [], replaysSystems: Bool = false
  ) {
    self.replayed = replayed
    self.live = live
    self.replaysSystems = replaysSystems
  }

  /// Adds the sources of another scenario.
  mutating func add(_ other: AnswerSources) {
    replayed.formUnion(other.replayed)
    live.formUnion(other.live)
    replaysSystems = replaysSystems || other.replaysSystems
  }

  /// `replayed: api, db; live: files`, or nil without components.
  var text: String? {
    let parts = [("replayed", replayed), ("live", live)].filter { !$0.1.isEmpty }
    if parts.isEmpty { return nil }
    return parts.map { "\($0): \(Self.list($1))" }.joined(separator: "; ")
  }

  /// A sentence about the evidence of a suite that called nothing, or nil for any other suite.
  var note: String? {
    guard live.isEmpty, replaysSystems else { return nil }
    return "all answers were recorded ones: the scenarios still ask and accept what was recorded, "
      + "but no system was asked; 'flow test --live' asks them"
  }

  /// The most names in one line.
  private static let mostNames = 20

  private static func list(_ names: Set<String>) -> String {
    let more = names.count - mostNames
    return names.sorted().prefix(mostNames).joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "")
  }

  /// The members of a stored scenario.
  var members: [JSON.Member] {
    [
      .init("replayed", .list(replayed.sorted())), .init("live", .list(live.sorted())),
      .init("systems", .bool(replaysSystems)),
    ]
  }

  /// Reads the members of a stored scenario.
  ///
  /// Another process wrote them, so only names of components are taken.
  init(_ members: MemberIndex) {
    let names = { (member: String) in
      Set((members[member]?.texts ?? []).filter { $0.utf8.allSatisfy(\.isWordCharacter) })
    }
    self.init(
      replayed: names("replayed"), live: names("live"),
      replaysSystems: members["systems"] == .bool(true))
  }
}
