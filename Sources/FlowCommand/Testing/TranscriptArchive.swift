internal import FlowCore
internal import FlowTranscript

/// Where new transcripts go.
struct TranscriptArchive: Sendable {
  /// Where a job's recordings wait to be fetched, in the project's folder.
  static let folder = "\(SuiteState.folder)/recorded"

  /// The project's folder, as it is shown.
  let project: String
  /// Whether a machine runs the tests.
  ///
  /// Nothing is then written beside a scenario, so that a second try of the same job cannot replay what the
  /// first one recorded and pass.
  let isAutomated: Bool

  /// Writes a transcript, whole or not at all, and tells its path; nil when it is there already.
  ///
  /// - Throws: `FileError` when the system refuses.
  func keep(_ run: InMemoryTranscript, of scenario: SuiteScenario) throws(FileError) -> String? {
    let path = scenario.transcript
    if isThere(run, at: path) { return nil }
    let target = isAutomated ? try artifact(of: scenario) : path
    // Keeps the bodies from being cleared away before the transcript names them.
    let lock = FolderLock(sharing: Path.folder(of: target))
    defer { withExtendedLifetime(lock) {} }
    for (blob, content) in run.bodies {
      try BlobFolder(beside: target).store(content, of: blob, isPrivate: run.isPrivate)
    }
    try FileSystem.replace(
      target, with: run.bytes, followsLinks: !isAutomated, isPrivate: run.isPrivate)
    return target
  }

  /// Whether a transcript and all its bodies are there already.
  private func isThere(_ run: InMemoryTranscript, at path: String) -> Bool {
    // What cannot be read is another one, or cannot be written either, which is told then.
    guard let old = try? FileSystem.contents(of: path, limit: run.bytes.count), old == run.bytes
    else { return false }
    let folder = BlobFolder(beside: path)
    return run.bodies.allSatisfy { folder.holds($0.value, of: $0.key) }
  }

  /// The place of a job's recording: the folder and the scenario's own path.
  private func artifact(of scenario: SuiteScenario) throws(FileError) -> String {
    // A scenario outside of the project keeps its full path.
    let parts = Path.transcript(of: scenario.key).split(separator: "/")
    var folder = project
    for part in Self.folder.split(separator: "/") + parts.dropLast() {
      folder = Path.joined(folder, String(part))
      try FileSystem.makeFolder(folder)
    }
    return Path.joined(folder, String(parts.last ?? ""))
  }
}
