internal import FlowCore
internal import FlowExpression
internal import FlowYAML

/// Reads the keys of a project file.
struct ProjectReader {
  private static let keys = ["flow", "scenarios", "exclude", "update", "jobs", "report", "redact"]

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
    word(
      reader.textNode("update"), owner: "'update'", among: UpdateMode.allCases.map(\.rawValue),
      UpdateMode.init)
  }

  func jobs() -> ProjectFile.Entry<Int>? {
    guard let node = reader["jobs"] else { return nil }
    if case .int(let number)? = node.scalar, ProjectFile.jobs.contains(Int(number)) {
      return .init(value: Int(number), span: span(node))
    }
    problems.add(.number(node.kindPhrase, owner: "'jobs'", range: ProjectFile.jobs), at: node.span)
    return nil
  }

  /// What `report` says: the output of a suite, and whether it leaves out what passed.
  func report(
    _ formats: [String]?
  ) -> (ProjectFile.Entry<String>?, ProjectFile.Entry<Bool>?) {
    let owner = "'report'"
    guard let node = reader["report"],
      let report = MappingReader(node, owner: owner, keys: ["format", "quiet"], problems)
    else { return (nil, nil) }
    let format = word(
      report.textNode("format"), owner: "'format' of \(owner)", among: formats
    ) { $0 }
    return (format, flag(report, "quiet"))
  }

  func patterns() -> ([ProjectFile.Entry<String>]?, [RedactionPattern]) {
    guard reader["redact"] != nil else { return (nil, []) }
    var (entries, patterns): ([ProjectFile.Entry<String>], [RedactionPattern]) = ([], [])
    for node in reader.items("redact") where node.isText(owner: "a pattern of 'redact'", problems) {
      if node.text.isEmpty {
        problems.add(.pattern("an empty pattern hides nothing"), at: node.span)
        continue
      }
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

  /// One of some words, or any where these are nil.
  private func word<Word>(
    _ node: Node?, owner: String, among words: [String]?, _ convert: (String) -> Word?
  ) -> ProjectFile.Entry<Word>? {
    guard let node else { return nil }
    if words?.contains(node.text) ?? true, let word = convert(node.text) {
      return .init(value: word, span: span(node))
    }
    problems.add(.word(node.text, owner: owner, among: words ?? []), at: node.span)
    return nil
  }

  private func flag(_ reader: MappingReader, _ key: String) -> ProjectFile.Entry<Bool>? {
    guard let node = reader[key] else { return nil }
    if case .bool(let value)? = node.scalar { return .init(value: value, span: span(node)) }
    problems.add(
      .wrongKind(
        owner: "'\(key)' of \(reader.owner)", expected: "true or false", actual: node.kindPhrase),
      at: node.span)
    return nil
  }

  private func span(_ node: Node) -> SourceSpan {
    SourceSpan(node.span, file: problems.file)
  }
}
