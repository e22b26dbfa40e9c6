internal import FlowCore
internal import FlowPlan
internal import FlowReport
internal import FlowScenario
internal import FlowSystem
internal import FlowTranscript

/// The results of earlier commands, so that a scenario that has not changed is not replayed.
///
/// It is a file of JSON Lines, `.flow/mutations` in the project's folder, with one letter for each
/// alteration. It may be deleted at any time, and a wrong file counts as none.
package struct MutationCache: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    /// The digest of everything that the notices depend on.
    let digest: String
    let notices: [MutationReport.Notice]
  }

  private static let name = "\(SuiteState.folder)/mutations"
  private static let header = #"{"flow-mutations":1}"#
  private static let largest = 64 << 20
  private static let mostNotices = 1_000_000

  /// The entries by the scenario's path, relative to the project's folder.
  var entries: [String: Entry] = [:]

  init() {}

  /// Reads the content of the file.
  ///
  /// Nil if something in it is wrong.
  package init?(_ bytes: [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"))[...]
    guard let header = lines.popFirst(), header.elementsEqual(Self.header.utf8) else { return nil }
    for line in lines {
      guard let json = try? JSONParser.parse(line), let path = json["path"]?.string,
        let digest = json["digest"]?.string, let letters = json["notices"]?.string,
        letters.utf8.count <= Self.mostNotices
      else { return nil }
      let notices = letters.utf8.compactMap(MutationReport.Notice.init(letter:))
      guard notices.count == letters.utf8.count else { return nil }
      entries[path] = Entry(digest: digest, notices: notices)
    }
  }

  /// Reads the results kept in a project's folder.
  ///
  /// Empty if there are none, or if they cannot be used: they are only a shortcut.
  init(reading project: String) {
    let path = Path.joined(project, Self.name)
    guard !FileSystem.isLink(path),
      let bytes = try? FileSystem.contents(of: path, limit: Self.largest),
      let cache = MutationCache(bytes)
    else { return }
    self = cache
  }

  /// Returns the notices of a scenario, or nil without any for exactly this digest.
  func notices(of key: String, _ digest: String) -> [MutationReport.Notice]? {
    guard let entry = entries[key], entry.digest == digest else { return nil }
    return entry.notices
  }

  /// The lines of the file, ordered by the bytes of the paths.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    let paths = entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for path in paths {
      guard let entry = entries[path] else { continue }
      let letters = String(decoding: entry.notices.map(\.letter), as: UTF8.self)
      writer.value(
        .object([
          .init("path", .string(path)), .init("digest", .string(entry.digest)),
          .init("notices", .string(letters)),
        ]))
      writer.endLine()
    }
    return Array((Self.header + "\n").utf8) + writer.bytes
  }

  /// Writes the file, whole or not at all, unless it would be too large to be read.
  func write(to project: String) throws(FileError) {
    let bytes = bytes
    if bytes.count > Self.largest { return }
    try FileSystem.makeFolder(Path.joined(project, SuiteState.folder))
    try FileSystem.replace(Path.joined(project, Self.name), with: bytes, followsLinks: false)
  }
}

extension MutationReport.Notice {
  fileprivate init?(letter: UInt8) {
    guard let notice = [Self.noticed, .outputs, .unnoticed].first(where: { $0.letter == letter })
    else { return nil }
    self = notice
  }

  fileprivate var letter: UInt8 {
    switch self {
    case .noticed: UInt8(ascii: "n")
    case .outputs: UInt8(ascii: "o")
    case .unnoticed: UInt8(ascii: "u")
    }
  }
}

extension MutatedSuite {
  private static let largestFile = 64 << 20

  /// Returns the digest of everything that the results of a scenario depend on, or nil if they depend
  /// on a live component, or a file cannot be read.
  ///
  /// The bodies of a transcript are named by their digests in it, and were compared with these when
  /// it was read.
  func digest(of plan: Plan) -> String? {
    if !options.live.names(in: plan).isEmpty { return nil }
    var lines = [
      "flow \(CommandContext.version)", "limit \(options.limit)",
      "all fields \(options.includesAllFields)", "scenario \(plan.digest)",
    ]
    lines += TranscriptHeader.plugins(of: plan).map { "plugin \($0.name) \($0.version)" }
    var files = [Path.transcript(of: plan.file)]
    if let file = project.file?.file { files.append(file) }
    let lock = project.path(LockFile.name)
    if FileSystem.isOccupied(lock) { files.append(lock) }
    if let source = try? ScenarioSource(reading: plan.file), mayReadFiles(plan, source) {
      files += ScenarioLoader(registry: flow.registry).files(of: source)
    }
    let root = FileSystem.realPath(project.folder) ?? project.folder
    for file in files {
      guard let bytes = try? FileSystem.contents(of: file, limit: Self.largestFile) else {
        return nil
      }
      // The same in every copy of the project.
      let name = FileSystem.realPath(file).flatMap { Path.inside($0, of: root) } ?? file
      lines.append("file \(name.onOneLine) \(SHA256(bytes).hexadecimal)")
    }
    return "sha256:" + SHA256(Array(lines.joined(separator: "\n").utf8)).hexadecimal
  }

  /// Returns true if a plan may read schemas or descriptions of services, its own or those of
  /// included scenarios.
  private func mayReadFiles(_ plan: Plan, _ source: ScenarioSource) -> Bool {
    if plan.allComponents.contains(where: { $0.contract != nil }) { return true }
    let text = String(decoding: source.bytes, as: UTF8.self)
    return ["schema", "scenario:"].contains {
      text.utf8.firstRange(of: $0.utf8) != nil
    }
  }
}
