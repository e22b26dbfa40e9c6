public import FlowCore
internal import FlowExpression
internal import FlowYAML

/// What a project says of itself, `flow.yaml`: which scenarios it has and how they are tested.
///
///     flow: 1
///     scenarios: [Scenarios]
///     exclude: [Scenarios/rejected]
///     update: missing
///     jobs: 4
///     redact: ['\bid-[0-9]+']
public struct ProjectFile: Sendable {
  /// A value and where it stands.
  public struct Entry<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// Its place in the file.
    public let span: SourceSpan
  }

  /// The file's name in the project's folder.
  public static let name = "flow.yaml"
  /// How many scenarios may run at once.
  public static let jobs = 1...1_024
  /// The largest file that is read, in bytes.
  private static let largest = 1 << 20

  /// The file's path as diagnostics show it.
  public let file: String
  /// The files and folders of scenarios, relative to the file, in file order; nil or not empty.
  public let scenarios: [Entry<String>]?
  /// The files and folders that are left out, relative to the file, in file order.
  public let exclude: [Entry<String>]?
  /// Which transcripts are written.
  public let update: Entry<UpdateMode>?
  /// How many scenarios run at once.
  public let jobs: Entry<Int>?
  /// The regular expressions whose matches are hidden in everything that is written, in file order.
  public let redact: [Entry<String>]?
  /// The same, ready to be used.
  package let patterns: [RedactionPattern]

  /// Reads a project file.
  ///
  /// - Throws: `ScenarioError` with every problem of the file, in file order.
  public init(reading file: String) throws(ScenarioError) {
    let bytes: [UInt8]
    do { bytes = try FileSystem.contents(of: file, limit: Self.largest) } catch {
      let problems = Problems(file: file, codes: Self.codes)
      problems.add(.unreadable("\(error)"), at: nil)
      throw ScenarioError(diagnostics: problems.diagnostics)
    }
    try self.init(file: file, bytes: bytes)
  }

  /// Reads the text of a project file.
  ///
  /// - Throws: `ScenarioError` with every problem of the file, in file order.
  public init(file: String, bytes: [UInt8]) throws(ScenarioError) {
    let problems = Problems(file: file, codes: Self.codes)
    let root: Node
    do { root = try Node(parsing: bytes) } catch {
      problems.add(.yaml(error.message, hasBareExpression: false), at: error.span)
      throw ScenarioError(diagnostics: problems.diagnostics)
    }
    let reader = ProjectReader(root, problems)
    self.file = file
    scenarios = reader?.paths("scenarios")
    exclude = reader?.paths("exclude")
    update = reader?.update()
    jobs = reader?.jobs()
    (redact, patterns) = reader?.patterns() ?? (nil, [])
    try problems.throwIfAny()
  }

  /// What a problem that scenarios may have too is called here, where its explanation is another.
  private static let codes = [
    "F1001": "F1601", "F1002": "F1602", "F1101": "F1603", "F1102": "F1604", "F1104": "F1605",
    "F1105": "F1605", "F1111": "F1605",
  ]
}

extension ProjectFile {
  /// The problem of an entry whose path leads nowhere.
  package static func missing(_ entry: Entry<String>) -> ScenarioError {
    ScenarioError(diagnostics: [Problem.missingPath(entry.value).diagnostic(at: entry.span)])
  }
}

/// Reads the keys of a project file.
private struct ProjectReader {
  private static let keys = ["flow", "scenarios", "exclude", "update", "jobs", "redact"]

  private let reader: MappingReader
  private let problems: Problems

  /// Nil when the root is no mapping.
  init?(_ root: Node, _ problems: Problems) {
    guard
      let reader = MappingReader(root, owner: "a project file", keys: Self.keys, problems)
    else { return nil }
    self.reader = reader
    self.problems = problems
    Scenario.checkVersion(reader, root, problems)
  }

  func paths(_ key: String) -> [ProjectFile.Entry<String>]? {
    guard reader[key] != nil else { return nil }
    if key == "scenarios" { reader.demandContent(key) }
    return reader.items(key).filter { $0.isText(owner: "a path of '\(key)'", problems) }
      .map { .init(value: $0.text, span: span($0)) }
  }

  func update() -> ProjectFile.Entry<UpdateMode>? {
    guard let node = reader.textNode("update") else { return nil }
    if let mode = UpdateMode(rawValue: node.text) { return .init(value: mode, span: span(node)) }
    problems.add(.updateMode(node.text), at: node.span)
    return nil
  }

  func jobs() -> ProjectFile.Entry<Int>? {
    guard let node = reader["jobs"] else { return nil }
    if case .int(let number)? = node.scalar, ProjectFile.jobs.contains(Int(number)) {
      return .init(value: Int(number), span: span(node))
    }
    problems.add(.number(node.kindPhrase, owner: "'jobs'", range: ProjectFile.jobs), at: node.span)
    return nil
  }

  func patterns() -> ([ProjectFile.Entry<String>]?, [RedactionPattern]) {
    guard reader["redact"] != nil else { return (nil, []) }
    var (entries, patterns): ([ProjectFile.Entry<String>], [RedactionPattern]) = ([], [])
    for node in reader.items("redact") where node.isText(owner: "a pattern of 'redact'", problems) {
      do throws(EvaluationError) {
        let pattern = try TextPattern(node.text)
        patterns.append(RedactionPattern(ranges: pattern.ranges))
        entries.append(.init(value: node.text, span: span(node)))
      } catch {
        problems.add(.pattern(error.message), at: node.span)
      }
    }
    return (entries, patterns)
  }

  private func span(_ node: Node) -> SourceSpan {
    SourceSpan(node.span, file: problems.file)
  }
}
