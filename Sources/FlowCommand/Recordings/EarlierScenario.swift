internal import FlowCore
internal import FlowPlan
internal import FlowSystem
internal import FlowTranscript

/// The scenario of a run as a revision of Git has it, for `flow resume --scenario REV:PATH`.
///
/// The scenario, the scenarios and files that it includes, and `flow.yaml` are those of the
/// revision. Components work in the folder of the working tree, because what the run has done so far
/// is there, and a copy of the revision lacks it.
struct EarlierScenario: Sendable {
  /// The argument, for commands that go on.
  let name: String
  /// The path of the scenario in a copy of the revision.
  let path: String
  /// The path that the scenario has, or had, in the working tree.
  let present: String
  private let version: EarlierVersion

  /// Finds the scenario of a journal in a revision, or returns nil if the argument is a path.
  ///
  /// An existing file is a path. Otherwise the text before the colon is a revision of the repository
  /// around the scenario of the journal, or around the journal if the scenario is gone. The text
  /// after it is a path from the root of the repository, or empty for the scenario of the journal.
  ///
  /// - Throws: `EarlierVersion.Failure` if there is no such revision, or no such file in it.
  init?(
    _ name: String, of header: TranscriptHeader, at place: JournalPlace, _ flow: CommandContext
  ) throws(EarlierVersion.Failure) {
    guard let colon = name.firstIndex(of: ":"), !FileSystem.exists(name) else { return nil }
    let (revision, inner) = (String(name[..<colon]), String(name[name.index(after: colon)...]))
    // A journal may be written by anyone, so Git only runs in a folder that it may name.
    let known = try? flow.scenario(nil, of: header, in: place.path)
    let version = try EarlierVersion(revision, of: Path.folder(of: known ?? place.path))
    let found = inner.isEmpty ? known.flatMap { version.path(of: $0) } : version.file(inner)
    guard let path = found, FileSystem.exists(path), let present = version.present(of: path) else {
      version.remove()
      throw Self.missing(inner.isEmpty ? known ?? "" : inner, revision)
    }
    (self.name, self.path, self.present, self.version) = (name, path, present, version)
  }

  /// Removes the copy of the revision.
  func remove() { version.remove() }

  /// The folder where the components work.
  var directory: Directory {
    let folder = Path.folder(of: present)
    return Directory(folder, inside: ProjectFolder.path(around: folder))
  }

  /// Returns a text without the folder of the copy, such as a message about the scenario.
  func shown(_ text: String) -> String { version.shown(text) }

  private static func missing(_ path: String, _ revision: String) -> EarlierVersion.Failure {
    if path.isEmpty {
      return EarlierVersion.Failure(
        message: "the scenario of the journal is gone, so name its path as in "
          + "'--scenario \(revision):PATH'".onOneLine)
    }
    return EarlierVersion.Failure(
      message: "'\(revision)' has no file '\(path)'".onOneLine)
  }
}
