internal import FlowCore
internal import FlowPlan
internal import FlowRedaction
internal import FlowSystem
internal import FlowTranscript

/// A transcript being written.
struct TranscriptOutput: Sendable {
  let path: String
  let recorder: Recorder
  private let plan: Plan
  private let file: OutputFile
  /// The redactor, which knows if the run has secrets.
  private let redactor: Redactor
  private let bodies: WrittenBodies

  /// Opens the transcript at a path, or next to the scenario for an empty path.
  ///
  /// A new file is private to its owner if `redactor` knows a secret now or at the end.
  init(of plan: Plan, at path: String, _ redactor: Redactor) throws(FileError) {
    let usual = Path.transcript(of: plan.file)
    self.path = path.isEmpty ? usual : path
    // Only a path given by the user follows links.
    let isNamed = !path.isEmpty
    if isNamed || !FileSystem.isLink(self.path) {
      try OutputPlace.check(transcript: self.path, isUsual: self.path == usual)
    }
    self.redactor = redactor
    self.plan = plan
    let bodies = WrittenBodies(beside: self.path)
    self.bodies = bodies
    let file = try OutputFile(
      replacing: self.path, followsLinks: isNamed, isPrivate: redactor.hasSecrets)
    self.file = file
    let scenario = Path.relative(plan.file, to: Path.folder(of: self.path))
    recorder = Recorder(
      scenario: scenario,
      blobs: { try bodies.store($1, of: $0, isPrivate: redactor.hasSecrets) }, isSealed: true
    ) { try file.append($0) }
  }

  /// Leaves the old transcript, and removes what was written.
  func abandon() {
    file.discard()
    bodies.removeUnnamed(naming: [])
  }

  /// Leaves the old transcript in a run that ends at once, perhaps while it writes.
  func abandonAtOnce() { file.discard() }

  /// Puts the transcript in its place and returns its path.
  ///
  /// A failed run is written next to an existing transcript, unless that is of a failed run, too.
  func finish(passed: Bool) async throws(FileError) -> String {
    do throws(FileError) {
      if let failure = recorder.failure { throw FileError(failure, writing: path) }
      let other = passed || !holdsMore ? nil : Self.failed(path)
      let old = passed ? try? TranscriptReader.read(path, allowsPipe: false) : nil
      let kept = if let old { try await keep(old) } else { [UInt8]?.none }
      // Another process may have created a journal there meanwhile.
      try OutputPlace.check(transcript: other ?? path, isUsual: true)
      try file.commit(isPrivate: redactor.hasSecrets, at: other)
      if let kept { bodies.removeUnnamed(naming: BlobNames(in: kept).digests) }
      return other ?? path
    } catch {
      abandon()
      throw error
    }
  }

  /// Keeps the answers of an old transcript that hold, and its matchers.
  ///
  /// Returns the lines if they are other ones now, or nil.
  private func keep(_ old: Transcript) async throws(FileError) -> [UInt8]? {
    var recording = InMemoryTranscript()
    recording.bytes = try file.written()
    recording.isPrivate = redactor.hasSecrets
    let old = old.following(recording, beside: path)
    let kept = await old.keepingAnswers(
      in: recording, beside: path, of: plan, Redactor(within: redactor))
    for (blob, content) in kept.bodies {
      try bodies.store(content, of: blob, isPrivate: kept.isPrivate)
    }
    let bytes = old.keepingMatchers(in: kept.bytes, beside: path, of: plan, redactor) ?? kept.bytes
    if bytes == recording.bytes { return nil }
    try file.rewrite(bytes)
    return bytes
  }

  /// True if the path has a file that a failed run must not replace.
  private var holdsMore: Bool {
    guard FileSystem.exists(path) else { return false }
    // An unreadable file may be a good transcript with a merge conflict.
    return (try? TranscriptReader.read(path, allowsPipe: false))?.passed ?? true
  }

  /// Returns `shop.transcript.failed.jsonl` for `shop.transcript.jsonl`.
  private static func failed(_ path: String) -> String {
    let ending = ".jsonl"
    return path.hasSuffix(ending)
      ? path.dropLast(ending.count) + ".failed" + ending : path + ".failed"
  }
}

extension FileError {
  /// Creates the error for a recorder that stopped writing to a file.
  init(_ failure: any Error, writing path: String) {
    self =
      failure as? FileError
      ?? FileError(.unreadable, path: path, reason: "\(failure)", isWriting: true)
  }
}
