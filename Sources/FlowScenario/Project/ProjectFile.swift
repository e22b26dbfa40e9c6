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
///     report: {format: text, quiet: true}
///     redact: ['\bid-[0-9]+']
public struct ProjectFile: Sendable {
  /// A value and where it stands.
  public struct Entry<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// Its place in the file.
    public let span: SourceSpan
  }

  /// The names that the file may have in the project's folder; only one of them stands there.
  public static let names = ["flow.yaml", "flow.yml"]
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
  /// The name of the output that reports a suite.
  public let format: Entry<String>?
  /// Whether a scenario that passed has no line.
  public let isQuiet: Entry<Bool>?
  /// The regular expressions whose matches are hidden in everything that is written, in file order.
  public let redact: [Entry<String>]?
  /// The same, ready to be used.
  package let patterns: [RedactionPattern]

  /// Reads a project file; `formats` are the outputs of a suite, nil where any name will do.
  ///
  /// - Throws: `ScenarioError` with every problem of the file, in file order.
  public init(reading file: String, formats: [String]? = nil) throws(ScenarioError) {
    let bytes: [UInt8]
    do { bytes = try FileSystem.contents(of: file, limit: Self.largest) } catch {
      let problems = Problems(file: file, codes: Self.codes)
      problems.add(.unreadable("\(error)"), at: nil)
      throw ScenarioError(diagnostics: problems.diagnostics)
    }
    try self.init(file: file, bytes: bytes, formats: formats)
  }

  /// Reads the text of a project file; `formats` are the outputs of a suite, nil where any name will do.
  ///
  /// - Throws: `ScenarioError` with every problem of the file, in file order.
  public init(
    file: String, bytes: [UInt8], formats: [String]? = nil
  ) throws(ScenarioError) {
    let problems = Problems(file: file, codes: Self.codes)
    let root: Node
    do { root = try Node(parsing: bytes) } catch {
      problems.add(.yaml(error.message, nil), at: error.span)
      throw ScenarioError(diagnostics: problems.diagnostics)
    }
    let reader = ProjectReader(root, problems)
    self.file = file
    scenarios = reader?.paths("scenarios")
    exclude = reader?.paths("exclude")
    update = reader?.update()
    jobs = reader?.jobs()
    (format, isQuiet) = reader?.report(formats) ?? (nil, nil)
    (redact, patterns) = reader?.patterns() ?? (nil, [])
    try problems.throwIfAny()
  }

  /// What a problem that scenarios may have too is called here, where its explanation is another.
  private static let codes: [DiagnosticCode: DiagnosticCode] = [
    .unreadableScenario: .unreadableProject, .malformedYAML: .malformedProjectYAML,
    .missingVersion: .missingProjectVersion, .unknownKey: .unknownProjectKey,
    .malformedValue: .malformedProjectValue,
    .unexpectedTag: .malformedProjectValue, .malformedLimit: .malformedProjectValue,
  ]
}

extension ProjectFile {
  /// The path of the first project file in the folder of a path or in one around it; nil for none.
  ///
  /// A file that cannot be read counts, be it a link that leads nowhere: without it nothing would be hidden.
  ///
  /// - Throws: `ScenarioError` when the folder has two.
  package static func path(around path: String) throws(ScenarioError) -> String? {
    guard let folder = folder(around: path) else { return nil }
    let found = names.filter { FileSystem.isOccupied(Path.joined(folder, $0)) }
    guard found.count == 1 else {
      let file = Path.shown(Path.joined(folder, found.last ?? ""))
      throw ScenarioError(diagnostics: [Problem.secondProjectFile(file).diagnostic(at: nil)])
    }
    return Path.joined(folder, found[0])
  }

  /// The folder of the first project file in the folder of a path or in one around it; nil for none.
  package static func folder(around path: String) -> String? {
    guard var folder = FileSystem.realPath(path) ?? FileSystem.realPath(".") else { return nil }
    if !FileSystem.isDirectory(folder) { folder = Path.folder(of: folder) }
    while !names.contains(where: { FileSystem.isOccupied(Path.joined(folder, $0)) }) {
      if folder == "/" { return nil }
      folder = Path.folder(of: folder)
    }
    return folder
  }

  /// The problem of an entry whose path leads nowhere.
  package static func missing(_ entry: Entry<String>) -> ScenarioError {
    ScenarioError(diagnostics: [Problem.missingPath(entry.value).diagnostic(at: entry.span)])
  }
}
