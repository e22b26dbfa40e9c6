internal import FlowCore
internal import FlowEngine
internal import FlowPlan
internal import FlowSystem

/// The version of a scenario that goes on with a journal from one of its lines.
struct JournalVersion: Sendable, Hashable {
  /// The digest of the scenario and what it includes.
  let digest: String
  /// The plugins of the scenario with their versions, sorted by name.
  let plugins: [TranscriptHeader.Plugin]
  /// The steps that have other paths in it.
  var steps = RenamedSteps()

  /// The version of a plan.
  init(of plan: Plan, _ steps: RenamedSteps) {
    digest = plan.digest
    plugins = TranscriptHeader.plugins(of: plan)
    self.steps = steps
  }

  /// Reads the members after the address, or returns nil if they are malformed.
  init?(_ members: ArraySlice<JSON.Member>) {
    let members = Array(members)
    guard members.map(\.name).starts(with: ["version", "plugins"]),
      let digest = members[0].value.string, Blob.digits(of: digest) != nil,
      let plugins = TranscriptHeader.plugins(members[1].value)
    else { return nil }
    (self.digest, self.plugins) = (digest, plugins)
    guard members.count > 2 else { return }
    guard members[2].name == "as", let steps = RenamedSteps(members[2].value) else { return nil }
    self.steps = steps
  }

  /// The version without the names of steps before it.
  var withoutSteps: JournalVersion {
    var copy = self
    copy.steps = RenamedSteps()
    return copy
  }

  /// Writes the members after the address.
  func write(to sink: inout some JSONSink) {
    sink.member("version", digest)
    sink.name("plugins")
    sink.beginObject()
    for plugin in plugins { sink.member(plugin.name, plugin.version) }
    sink.endObject()
    if steps.isEmpty { return }
    sink.name("as")
    sink.beginObject()
    for step in steps.all { sink.member(step.old, step.new) }
    sink.endObject()
  }
}

extension TranscriptHeader {
  /// Takes the scenario and the plugins of a later version.
  mutating func take(_ version: JournalVersion?) {
    guard let version else { return }
    (digest, plugins) = (version.digest, version.plugins)
  }
}

/// The steps whose done calls stand for steps of another path in a new version of the scenario.
package struct RenamedSteps: Sendable, Hashable {
  /// A step with its path before and now.
  package struct Step: Sendable, Hashable {
    /// The path in the journal so far.
    package let old: String
    /// The path in the scenario now.
    package let new: String
  }

  /// The steps in the order in which they were given, each old path once.
  private(set) var all: [Step] = []

  /// Creates no steps.
  package init() {}

  /// Adds a step.
  ///
  /// Returns false if the old path, or the new one, was added before.
  package mutating func add(_ old: String, as new: String) -> Bool {
    guard !all.contains(where: { $0.old == old || $0.new == new }) else { return false }
    all.append(Step(old: old, new: new))
    return true
  }

  /// True if no step has another path.
  package var isEmpty: Bool { all.isEmpty }

  /// Reads an object with an old and a new path in each member.
  init?(_ json: JSON) {
    guard case .object(let members) = json, !members.isEmpty else { return nil }
    for member in members {
      guard let new = member.value.string, !new.isEmpty, !member.name.isEmpty,
        add(member.name, as: new)
      else { return nil }
    }
  }

  /// The path of a step in the new version.
  ///
  /// Of several steps around it the innermost one counts.
  private func path(_ path: String) -> String {
    let around = all.filter { path == $0.old || path.hasPrefix($0.old + "/") }
    guard let step = around.max(by: { $0.old.utf8.count < $1.old.utf8.count }) else { return path }
    return step.new + path.dropFirst(step.old.count)
  }

  /// The address of a call in the new version.
  func address(_ address: Address) -> Address { address.at(path(address.path)) }

  /// A line with its address in the new version.
  func line(_ line: TranscriptLine) -> TranscriptLine {
    var line = line
    let old = String(line.at.prefix { $0 != "#" })
    line.at = path(old) + line.at.dropFirst(old.count)
    guard case .invoke(let name, var marks) = line.kind, let arrival = marks.arrival else {
      return line
    }
    marks.arrival = Arrival(
      step: address(arrival.step), turn: arrival.turn, isLate: arrival.isLate)
    line.kind = .invoke(name: name, marks)
    return line
  }
}
