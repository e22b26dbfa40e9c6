public import FlowCore
package import FlowEngine
public import FlowPlan
internal import FlowSystem

/// The first line of a transcript, with the scenario, the plugins and the inputs of the run.
public struct TranscriptHeader: Sendable, Hashable {
  /// The version of the format.
  public static let version = 1
  /// The first bytes of every transcript and journal.
  package static let beginning = Array("{\"transcript\":\(version),".utf8)

  /// The scenario's path relative to the transcript's folder, with `/` between its parts.
  public let scenario: String
  /// The digest of the scenario and what it includes, `sha256:` and 64 hexadecimal digits.
  public internal(set) var digest: String
  /// The plugins of the scenario with their versions, sorted by name.
  public internal(set) var plugins: [Plugin]
  /// The inputs in the scenario's order.
  var values: [RecordedValue.Member]
  /// The seed of all chance.
  public let seed: UInt64
  /// The names of the inputs whose value was the scenario's default.
  let defaults: [String]
  /// The schedule of the run, or nil if it was the plain one.
  package let schedule: Schedule?
  /// The run's name, with which idempotency keys start, or nil in a golden transcript.
  public let run: String?
  /// True if each line ends with a checksum, as in a journal.
  let hasChecksums: Bool

  /// A plugin and its version.
  public struct Plugin: Sendable, Hashable {
    /// The plugin's name.
    public let name: String
    /// Its version when the transcript was recorded.
    public let version: String
  }

  /// The inputs in the scenario's order, as JSON.
  package internal(set) var inputs: [JSON.Member] {
    get { values.map { JSON.Member($0.name, $0.value.json) } }
    set { values = newValue.map { .init(name: $0.name, value: .plain($0.value)) } }
  }

  private static let names = ["transcript", "scenario", "digest", "plugins", "inputs", "seed"]

  /// Creates the header of a run, and adds its long bodies to those of an encoder.
  init(
    _ run: RunDescription, scenario: String, name: String? = nil, _ encoder: inout ValueEncoder
  ) {
    self.run = name
    hasChecksums = name != nil
    self.scenario = scenario
    digest = run.plan.digest
    plugins = Self.plugins(of: run.plan)
    values = zip(run.plan.inputs, run.inputs).map { input, value in
      .init(name: input.name, value: encoder.separated(value, as: input.type))
    }
    seed = run.seed
    // A journal is resumed with its inputs.
    defaults = name == nil ? run.defaults : []
    schedule = run.schedule
  }

  /// The plugins of a plan and its inner scenarios, sorted by name.
  package static func plugins(of plan: Plan) -> [Plugin] {
    let components = plan.allComponents
    let all = components.map {
      Plugin(name: $0.plugin.plugin.name, version: $0.plugin.plugin.version)
    }
    return Set(all).sorted { $0.name < $1.name }
  }

  /// The header as it is written.
  var json: JSON {
    let members: [JSON.Member] = [
      .init("transcript", .number("\(Self.version)")), .init("scenario", .string(scenario)),
      .init("digest", .string(digest)),
      .init("plugins", .object(plugins.map { .init($0.name, .string($0.version)) })),
      .init("inputs", .object(values.map { .init($0.name, $0.value.written) })),
      .init("seed", .string(String(seed))),
    ]
    let schedule = schedule.map { [JSON.Member("schedule", $0.json)] } ?? []
    let defaults =
      defaults.isEmpty ? [] : [JSON.Member("defaults", .array(defaults.map(JSON.string)))]
    return .object(members + defaults + schedule + (run.map { [.init("run", .string($0))] } ?? []))
  }

  /// Reads a header, or returns nil if the line is not a header of this version.
  init?(_ json: JSON) {
    guard json["transcript"] == .number("\(Self.version)"), case .object(let members) = json,
      members.map(\.name).starts(with: Self.names),
      let scenario = json["scenario"]?.string, !scenario.isEmpty,
      !scenario.utf8.contains(0),
      let digest = json["digest"]?.string, Blob.digits(of: digest) != nil,
      let plugins = json["plugins"].flatMap(Self.plugins(_:)),
      case .object(let inputs)? = json["inputs"], let seed = json["seed"]?.string.flatMap(Self.seed)
    else { return nil }
    var others = members.map(\.name).dropFirst(Self.names.count)
    if let json = json["defaults"] {
      guard others.popFirst() == "defaults", let names = Self.names(json, among: inputs) else {
        return nil
      }
      defaults = names
    } else {
      defaults = []
    }
    if let json = json["schedule"] {
      guard others.first == "schedule", let schedule = Schedule(json) else { return nil }
      self.schedule = schedule
    } else {
      schedule = nil
    }
    switch others.drop(while: { $0 == "schedule" }) {
    case []: run = nil
    case ["run"], ["run", "crc"]:
      guard let name = json["run"]?.string, !name.isEmpty else { return nil }
      run = name
    default: return nil
    }
    hasChecksums = json["crc"] != nil
    self.scenario = scenario
    self.digest = digest
    self.plugins = plugins
    values = inputs.map { .init(name: $0.name, value: .plain($0.value)) }
    self.seed = seed
  }

  static func plugins(_ json: JSON) -> [Plugin]? {
    guard case .object(let members) = json else { return nil }
    let plugins = members.compactMap { member in
      member.value.string.map { Plugin(name: member.name, version: $0) }
    }
    return plugins.count == members.count ? plugins : nil
  }

  /// The names of some inputs, at least one.
  private static func names(_ json: JSON, among inputs: [JSON.Member]) -> [String]? {
    guard case .array(let values) = json, !values.isEmpty else { return nil }
    let names = values.compactMap(\.string)
    let known = Set(inputs.map(\.name))
    return names.count == values.count && Set(names).count == names.count
      && known.isSuperset(of: names) ? names : nil
  }

  /// The number of decimal digits without a sign and without zeros before them.
  private static func seed(_ text: String) -> UInt64? {
    UInt64(text).flatMap { String($0) == text ? $0 : nil }
  }
}

extension TranscriptHeader {
  /// The recorded inputs as values of the plan's inputs, in their order.
  ///
  /// - Throws: `TranscriptError` when an input is unknown or does not have its type.
  public func inputValues(for plan: Plan, file: String) throws(TranscriptError) -> [Value] {
    do {
      let types = Dictionary(
        plan.inputs.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
      var values: [String: Value] = [:]
      for member in inputs {
        let type = types[member.name] ?? .dynamic
        values[member.name] = try Value(member.value, as: type)
      }
      return try plan.inputValues(values)
    } catch let error as ScenarioError {
      let message = error.diagnostics.map(\.message).joined(separator: "; ")
      throw TranscriptError(.inputs(message), file: file, line: 1)
    } catch {
      throw TranscriptError(.inputs("\(error)"), file: file, line: 1)
    }
  }
}

extension RunDescription {
  /// The names of the inputs whose value is their default.
  ///
  /// A hidden value cannot be compared later.
  fileprivate var defaults: [String] {
    zip(plan.inputs, inputs).compactMap { input, value in
      input.defaultValue.map { !input.isSecret && $0.isSame(as: value) } == true ? input.name : nil
    }
  }
}

extension TranscriptHeader {
  /// The path of the recorded scenario, relative to the same folder as `file`, the transcript's
  /// path.
  package func scenarioPath(beside file: String) -> String {
    let isAbsolute = scenario.utf8.first == UInt8(ascii: "/")
    return isAbsolute ? scenario : Path.joined(Path.folder(of: file), scenario)
  }

  /// Returns true if a scenario is the recorded one by its path, whatever was edited since.
  ///
  /// A moved scenario, as on another machine, has its name alone. `file` is the transcript's path.
  package func names(_ scenario: String, beside file: String) -> Bool {
    let recorded = scenarioPath(beside: file)
    if let place = FileSystem.realPath(recorded) { return place == FileSystem.realPath(scenario) }
    let name = { (path: String) in
      path.utf8.split(separator: UInt8(ascii: "/")).last.map(Array.init)
    }
    return name(recorded) == name(scenario)
  }

  /// Returns the path of the named scenario, relative to the same folder as `file`, the
  /// transcript's path.
  ///
  /// The transcript is untrusted, and the scenario is quoted and run. So it must be, with all links
  /// resolved, in the transcript's folder, in one of `folders`, or below.
  ///
  /// - Throws: `TranscriptError` when it is elsewhere, or does not exist.
  package func scenarioPath(
    beside file: String, or folders: [String]
  ) throws(TranscriptError) -> String {
    let path = scenarioPath(beside: file)
    guard let place = FileSystem.realPath(path) else {
      throw TranscriptError(.scenarioMissing(path), file: file, line: 1)
    }
    let allowed = ([Path.folder(of: file)] + folders).compactMap(FileSystem.realPath)
    guard allowed.contains(where: { Path.inside(place, of: $0) != nil }) else {
      throw TranscriptError(.scenarioElsewhere(scenario), file: file, line: 1)
    }
    return path
  }
}

extension TranscriptHeader {
  /// Returns the changes since the recording, as one sentence each.
  package func changes(in plan: Plan) -> [String] {
    let scenario = plan.digest == digest ? [] : ["'\(plan.file)' has changed since it was recorded"]
    return scenario
      + Self.plugins(of: plan).compactMap { plugin in
        let recorded = plugins.first { $0.name == plugin.name }?.version
        if recorded == plugin.version { return nil }
        let version = recorded.map { "version \($0)" } ?? "not in use"
        return
          "the plugin '\(plugin.name)' is version \(plugin.version) now, and was \(version) when recorded"
      }
  }
}
