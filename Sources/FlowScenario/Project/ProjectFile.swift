public import FlowCore
package import FlowExpression
public import FlowPlan
package import FlowRedaction
internal import FlowSystem
internal import FlowYAML

/// The scenarios of a project and the options of their tests, from its file `flow.yaml`.
///
///     flow: 1
///     scenarios: [Scenarios]
///     exclude: [Scenarios/rejected]
///     update: missing
///     jobs: 4
///     report: {format: text, quiet: true, contract: {operation: 100, status: 80}}
///     mutate: {at_least: 80%}
///     redact: ['\bid-[0-9]+']
///     deny: [database]
///     allow-host: [example.org]
///     live:
///       - {scenario: Scenarios/cart.yaml, components: [cart]}
///     state: {make: state/make.yaml, restore: state/restore.yaml}
///     plugins:
///       clock: {mcp: [python3, -m, mcp_server_time], state: none}
public struct ProjectFile: Sendable {
  /// A value and its place.
  public struct Entry<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// Its place in the file.
    public let span: SourceSpan
  }

  /// Components that run live in the tests of some scenarios.
  public struct LiveRule: Sendable {
    /// The names of the components, at least one.
    public let components: [Entry<String>]
    /// The scenario or folder of scenarios, relative to the file, or nil for all with the tag.
    public let scenario: Entry<String>?
    /// A tag of the scenarios, or nil for all of the path.
    public let tag: Entry<String>?
  }

  /// The scenarios that make the state of databases and other systems.
  public struct State: Sendable {
    /// The scenario that makes it, once for a command, relative to the file.
    public let make: Entry<String>
    /// The scenario that restores it before each live run, relative to the file.
    public let restore: Entry<String>
    /// A tag of the scenarios that start from it, or nil for all.
    public let tag: Entry<String>?
  }

  /// The possible names of the file in the project's folder, of which only one may be used.
  public static let names = ProjectFolder.fileNames

  /// Returns true for the path of a project file, by its name.
  package static func isOne(_ path: String) -> Bool {
    names.contains { path == $0 || path.hasSuffix("/" + $0) }
  }
  /// The range for the number of scenarios that run at once.
  public static let jobs = 1...1_024
  private static let largest = 1 << 20

  /// The file's path as diagnostics show it.
  public let file: String
  /// The files and folders of scenarios, relative to the file, in file order, nil or not empty.
  public let scenarios: [Entry<String>]?
  /// The files and folders that are left out, relative to the file, in file order.
  public let exclude: [Entry<String>]?
  /// The transcripts to write.
  public let update: Entry<UpdateMode>?
  /// The number of scenarios that run at once.
  public let jobs: Entry<Int>?
  /// The most scenarios at once that use a live component, by its name.
  public let atOnce: [String: Entry<Int>]
  /// The name of a suite's output.
  public let format: Entry<String>?
  /// True to print no line for a scenario that passed.
  public let isQuiet: Entry<Bool>?
  /// The required shares of covered parts of services' descriptions, in percent.
  public let thresholds: Entry<[ContractPart.Kind: Decimal]>?
  /// The share of alterations that all scenarios must notice, in percent.
  public let leastMutationScore: Entry<Int>?
  /// The regular expressions in file order, whose matches are hidden in all output.
  public let redact: [Entry<String>]?
  /// The patterns, compiled.
  package let patterns: [RedactionPattern]
  /// The kinds of access denied to every run, in file order.
  public let deny: [Entry<Reach>]?
  /// The hosts open to components, in file order, or nil for every host.
  ///
  /// Never empty.
  public let allowedHosts: [Entry<String>]?
  /// The hosts, ready for use.
  package let network: Network
  /// The components that run live while all others are served from the transcripts, in file order.
  public let live: [LiveRule]
  /// The scenarios that make and restore the state that live runs start from, or nil.
  public let state: State?
  /// The plugins that the project declares, in file order.
  public let plugins: [PluginDeclaration]

  /// Reads a project file.
  ///
  /// `formats` are the outputs of a suite, or nil to accept any name. `registry` has the families of
  /// plugins, or nil to accept any declaration.
  ///
  /// - Throws: `ScenarioError` with every problem of the file, in file order.
  public init(
    reading file: String, formats: [String]? = nil, registry: Registry? = nil
  ) throws(ScenarioError) {
    let bytes: [UInt8]
    do { bytes = try FileSystem.contents(of: file, limit: Self.largest) } catch {
      let diagnostics = DiagnosticCollector(file: file, codes: Self.codes)
      diagnostics.add(.unreadable("\(error)"), at: nil)
      throw ScenarioError(diagnostics: diagnostics.all)
    }
    try self.init(file: file, bytes: bytes, formats: formats, registry: registry)
  }

  /// Reads the text of a project file.
  ///
  /// `formats` and `registry` are those of `init(reading:formats:registry:)`.
  ///
  /// - Throws: `ScenarioError` with every problem of the file, in file order.
  public init(
    file: String, bytes: [UInt8], formats: [String]? = nil, registry: Registry? = nil
  ) throws(ScenarioError) {
    let diagnostics = DiagnosticCollector(file: file, codes: Self.codes)
    if diagnostics.rejectStranger(bytes, insteadOf: "a project file") {
      throw ScenarioError(diagnostics: diagnostics.all)
    }
    let root: Node
    do { root = try Node(parsing: bytes) } catch {
      diagnostics.add(.yaml(error.message), at: error.span)
      throw ScenarioError(diagnostics: diagnostics.all)
    }
    let reader = ProjectReader(root, diagnostics)
    self.file = file
    scenarios = reader?.paths("scenarios")
    exclude = reader?.paths("exclude")
    update = reader?.update()
    jobs = reader?.jobs()
    atOnce = reader?.atOnce() ?? [:]
    (format, isQuiet, thresholds) = reader?.report(formats) ?? (nil, nil, nil)
    leastMutationScore = reader?.leastMutationScore()
    (redact, patterns) = reader?.patterns() ?? (nil, [])
    deny = reader?.denied()
    (allowedHosts, network) = reader?.hosts() ?? (nil, .unlimited)
    live = reader?.live() ?? []
    state = reader?.state()
    plugins = reader?.plugins(registry) ?? []
    try diagnostics.throwIfAny()
  }

  /// The codes of problems whose explanation differs from that of the same problem in a scenario.
  static let codes: [DiagnosticCode: DiagnosticCode] = [
    .unreadableScenario: .unreadableProject, .malformedYAML: .malformedProjectYAML,
    .missingVersion: .missingProjectVersion, .unknownKey: .unknownProjectKey,
    .missingKey: .malformedProjectValue,
    .malformedValue: .malformedProjectValue,
    .unexpectedTag: .malformedProjectValue, .malformedLimit: .malformedProjectValue,
  ]

  /// The path of the nearest project file in the folder of a path or around it, or nil.
  ///
  /// A file that cannot be read counts, even a link to nothing: without it nothing would be hidden.
  ///
  /// - Throws: `ScenarioError` when the folder has two.
  package static func path(around path: String) throws(ScenarioError) -> String? {
    guard let folder = ProjectFolder.path(around: path) else { return nil }
    let found = names.filter { FileSystem.isOccupied(Path.joined(folder, $0)) }
    guard found.count == 1 else {
      let file = Path.shown(Path.joined(folder, found.last ?? ""))
      throw ScenarioError(diagnostics: [Problem.secondProjectFile(file).diagnostic(at: nil)])
    }
    return Path.joined(folder, found[0])
  }

  /// The problem of a scenario without a component that is to run live in its tests.
  package static func missing(
    _ entry: Entry<String>, in scenario: String, among known: [String]
  ) -> ScenarioError {
    let problem = Problem.unknownLiveComponent(entry.value, of: scenario, among: known)
    return ScenarioError(diagnostics: [problem.diagnostic(at: entry.span)])
  }

  /// Creates the problem of an entry whose path does not exist.
  package static func missing(_ entry: Entry<String>) -> ScenarioError {
    ScenarioError(diagnostics: [Problem.missingPath(entry.value).diagnostic(at: entry.span)])
  }
}

private struct ProjectReader {
  private let reader: MappingReader
  private let diagnostics: DiagnosticCollector

  /// Nil when the root is not a mapping.
  init?(_ root: Node, _ diagnostics: DiagnosticCollector) {
    guard
      let reader = MappingReader(
        root, owner: "a project file", keys: KeySet.project.names, diagnostics)
    else { return nil }
    self.reader = reader
    self.diagnostics = diagnostics
    Scenario.checkVersion(reader, root, diagnostics)
  }

  func paths(_ key: String) -> [ProjectFile.Entry<String>]? {
    guard reader[key] != nil else { return nil }
    if key == "scenarios" { reader.demandContent(key) }
    return reader.items(key).filter { $0.isText(owner: "a path of '\(key)'", diagnostics) }
      .map(entry)
  }

  func update() -> ProjectFile.Entry<UpdateMode>? {
    word(
      reader.textNode("update"), owner: "'update'", among: UpdateMode.allCases.map(\.rawValue),
      UpdateMode.init)
  }

  func jobs() -> ProjectFile.Entry<Int>? {
    reader["jobs"].flatMap { number($0, owner: "'jobs'") }
  }

  private func number(_ node: Node, owner: String) -> ProjectFile.Entry<Int>? {
    if case .int(let number)? = node.scalar, ProjectFile.jobs.contains(Int(number)) {
      return .init(value: Int(number), span: span(node))
    }
    return diagnostics.reject(
      .number(node.kindPhrase, owner: owner, range: ProjectFile.jobs), at: node.span)
  }

  func atOnce() -> [String: ProjectFile.Entry<Int>] {
    let entries = reader.entries("at-once").compactMap { entry in
      number(entry.value, owner: "'\(entry.key.text)' of 'at-once'").map { (entry.key.text, $0) }
    }
    return Dictionary(entries, uniquingKeysWith: { $1 })
  }

  /// Reads `report`: the output of a suite, true to leave out scenarios that passed, and thresholds.
  func report(_ formats: [String]?) -> (
    ProjectFile.Entry<String>?, ProjectFile.Entry<Bool>?,
    ProjectFile.Entry<[ContractPart.Kind: Decimal]>?
  ) {
    let owner = "'report'"
    guard let node = reader["report"],
      let report = MappingReader(
        node, owner: owner, keys: KeySet.report.names, diagnostics)
    else { return (nil, nil, nil) }
    let format = word(
      report.textNode("format"), owner: "'format' of \(owner)", among: formats
    ) { $0 }
    return (format, flag(report, "quiet"), thresholds(report["contract"]))
  }

  /// Reads the percentages by the kinds of parts.
  private func thresholds(_ node: Node?) -> ProjectFile.Entry<[ContractPart.Kind: Decimal]>? {
    let owner = "'contract' of 'report'"
    guard let node,
      let reader = MappingReader(
        node, owner: owner, keys: KeySet.thresholds.names, diagnostics)
    else { return nil }
    var thresholds: [ContractPart.Kind: Decimal] = [:]
    for kind in ContractPart.Kind.allCases {
      guard let node = reader[kind.rawValue] else { continue }
      if let number = node.percent {
        thresholds[kind] = number
      } else {
        diagnostics.add(
          .percentage(node.kindPhrase, owner: "'\(kind.rawValue)' of \(owner)"), at: node.span)
      }
    }
    return .init(value: thresholds, span: span(node))
  }

  /// Reads `at_least` of `mutate`.
  func leastMutationScore() -> ProjectFile.Entry<Int>? {
    let owner = "'mutate'"
    guard let node = reader["mutate"],
      let mutate = MappingReader(node, owner: owner, keys: KeySet.mutation.names, diagnostics),
      let share = mutate["at_least"]
    else { return nil }
    if let percent = share.wholePercent { return .init(value: percent, span: span(share)) }
    return diagnostics.reject(
      .wholePercentage(share.kindPhrase, owner: "'at_least' of \(owner)"), at: share.span)
  }

  func live() -> [ProjectFile.LiveRule] {
    guard reader["live"] != nil else { return [] }
    let owner = "an entry of 'live'"
    return reader.items("live").compactMap { node in
      guard
        let rule = MappingReader(
          node, owner: owner, keys: KeySet.liveRule.names, diagnostics),
        rule.required("components") != nil
      else { return nil }
      rule.demandContent("components")
      if rule["scenario"] == nil, rule["tag"] == nil {
        diagnostics.add(.noTests(owner: owner), at: node.span)
      }
      return ProjectFile.LiveRule(
        components: rule.items("components")
          .filter { $0.isText(owner: "a name of 'components'", diagnostics) }.map(entry),
        scenario: rule.textNode("scenario").map(entry), tag: rule.textNode("tag").map(entry))
    }
  }

  func state() -> ProjectFile.State? {
    guard let node = reader["state"],
      let state = MappingReader(
        node, owner: "'state'", keys: KeySet.state.names, diagnostics)
    else { return nil }
    guard state.required("make") != nil, state.required("restore") != nil,
      let make = state.textNode("make"), let restore = state.textNode("restore")
    else { return nil }
    return ProjectFile.State(
      make: entry(make), restore: entry(restore), tag: state.textNode("tag").map(entry))
  }

  func plugins(_ registry: Registry?) -> [ProjectFile.PluginDeclaration] {
    reader.entries("plugins").compactMap {
      ProjectFile.PluginDeclaration($0, registry, diagnostics)
    }
  }

  func denied() -> [ProjectFile.Entry<Reach>]? {
    guard reader["deny"] != nil else { return nil }
    return reader.items("deny").filter { $0.isText(owner: "a kind of 'deny'", diagnostics) }
      .compactMap {
        word($0, owner: "a kind of 'deny'", among: Reach.allCases.map(\.rawValue), Reach.init)
      }
  }

  func hosts() -> ([ProjectFile.Entry<String>]?, Network) {
    guard reader["allow-host"] != nil else { return (nil, .unlimited) }
    reader.demandContent("allow-host")
    let nodes = reader.items("allow-host").filter {
      $0.isText(owner: "a host of 'allow-host'", diagnostics)
    }
    for node in nodes {
      do throws(HostError) { _ = try Network(allowing: [node.text]) } catch {
        diagnostics.add(.host(error), at: node.span)
      }
    }
    // What is wrong with them was said.
    return (nodes.map(entry), (try? Network(allowing: nodes.map(\.text))) ?? .none)
  }

  func patterns() -> ([ProjectFile.Entry<String>]?, [RedactionPattern]) {
    guard reader["redact"] != nil else { return (nil, []) }
    var (entries, patterns): ([ProjectFile.Entry<String>], [RedactionPattern]) = ([], [])
    for node in reader.items("redact")
    where node.isText(owner: "a pattern of 'redact'", diagnostics) {
      if node.text.isEmpty {
        diagnostics.add(.pattern("an empty pattern hides nothing"), at: node.span)
        continue
      }
      do throws(EvaluationError) {
        patterns.append(try RedactionPattern(node.text))
        entries.append(entry(node))
      } catch {
        diagnostics.add(.pattern(error.message), at: node.span)
      }
    }
    return (entries, patterns)
  }

  /// Reads one of some words, or any word if `words` is nil.
  private func word<Word>(
    _ node: Node?, owner: String, among words: [String]?, _ convert: (String) -> Word?
  ) -> ProjectFile.Entry<Word>? {
    guard let node else { return nil }
    if words?.contains(node.text) ?? true, let word = convert(node.text) {
      return .init(value: word, span: span(node))
    }
    return diagnostics.reject(.word(node.text, owner: owner, among: words ?? []), at: node.span)
  }

  private func flag(_ reader: MappingReader, _ key: String) -> ProjectFile.Entry<Bool>? {
    guard let node = reader[key] else { return nil }
    return node.flag(owner: "'\(key)' of \(reader.owner)", diagnostics)
      .map { .init(value: $0, span: span(node)) }
  }

  private func entry(_ node: Node) -> ProjectFile.Entry<String> {
    .init(value: node.text, span: span(node))
  }

  private func span(_ node: Node) -> SourceSpan { SourceSpan(node.span, file: diagnostics.file) }
}

/// The transcripts written by `flow test`.
public enum UpdateMode: String, CaseIterable, Sendable {
  /// No transcripts.
  case never
  /// Only missing transcripts.
  case missing
  /// Missing transcripts, and transcripts from which their scenarios now differ.
  case failed
  /// All transcripts.
  case all
}

extension Node {
  /// The whole number from 0 to 100, also before a percent sign, or nil for everything else.
  fileprivate var wholePercent: Int? {
    let digits = text.hasSuffix("%") ? text.dropLast() : text[...]
    guard kind == .scalar, let number = Int(digits), 0...100 ~= number, "\(number)" == digits
    else { return nil }
    return number
  }

  /// The number from 0 to 100, or nil for everything else.
  fileprivate var percent: Decimal? {
    switch scalar {
    case .int, .float:
      guard let number = Decimal(text), Decimal.zero...Decimal(100) ~= number else { return nil }
      return number
    default: return nil
    }
  }
}

extension RedactionPattern {
  /// Compiles a regular expression.
  ///
  /// - Throws: `EvaluationError` when it is malformed.
  package init(_ text: String) throws(EvaluationError) {
    let pattern = try TextPattern(text)
    self.init { pattern.ranges(in: $0) }
  }
}

extension ProjectFile {
  /// A plugin that a project declares, an entry of `plugins`.
  public struct PluginDeclaration: Sendable {
    /// The name in `plugin:` of scenarios.
    public let name: Entry<String>
    /// The key of its family, or an empty string if the families are not known.
    public let family: String
    /// The fields of the declaration, converted to the types of the family.
    package let fields: Value

    /// Reads an entry of `plugins`, or returns nil after a problem.
    ///
    /// Without a registry any declaration is accepted.
    init?(_ entry: Node.Entry, _ registry: Registry?, _ diagnostics: DiagnosticCollector) {
      let name = entry.key.text
      self.name = Entry(value: name, span: SourceSpan(entry.key.span, file: diagnostics.file))
      guard RegisteredPlugin.isValid(name) else {
        diagnostics.add(.invalidPluginName(name), at: entry.key.span)
        return nil
      }
      guard let registry else {
        (family, fields) = ("", .null)
        return
      }
      if registry.names.contains(name) {
        diagnostics.add(.builtInPlugin(name), at: entry.key.span)
        return nil
      }
      guard let family = Self.family(entry.value, name, registry, diagnostics),
        let fields = Self.fields(entry.value, name, family, diagnostics)
      else { return nil }
      (self.family, self.fields) = (family.key, fields)
    }

    private static func family(
      _ node: Node, _ name: String, _ registry: Registry, _ diagnostics: DiagnosticCollector
    ) -> RegisteredFamily? {
      guard node.kind == .mapping else {
        diagnostics.add(node, is: "the plugin '\(name)'", not: "a mapping")
        return nil
      }
      for entry in node.entries {
        if let family = registry.family(entry.key.text) { return family }
      }
      let near = node.entries.flatMap { entry in
        Suggestion.nearest(to: entry.key.text, among: registry.familyKeys)
      }
      diagnostics.add(
        .noFamily(of: name, near: near, among: registry.familyKeys), at: node.span.firstCharacter)
      return nil
    }

    private static func fields(
      _ node: Node, _ name: String, _ family: RegisteredFamily, _ diagnostics: DiagnosticCollector
    ) -> Value? {
      let owner = "the plugin '\(name)'"
      let type = family.declaration
      guard
        let reader = MappingReader(
          node, owner: owner, keys: type.fields.map(\.name), diagnostics)
      else { return nil }
      var values: [Value] = []
      for field in type.fields {
        guard let part = reader[field.name] else {
          if let value = field.defaultValue {
            values.append(value)
          } else {
            _ = reader.required(field.name)
          }
          continue
        }
        if let value = Value(part, as: field.type) {
          values.append(value)
        } else {
          diagnostics.add(part, is: "'\(field.name)' of \(owner)", not: "\(field.type)")
        }
      }
      guard values.count == type.fields.count, reader.unknown.isEmpty else { return nil }
      let value = Value.record(RecordValue(type, values))
      do {
        try family.check(value)
        return value
      } catch {
        diagnostics.add(.refusedDeclaration("\(error)", of: name), at: node.span)
        return nil
      }
    }
  }
}
