internal import FlowSystem
private import Synchronization

/// A project file that a step read, and its content at that time.
package struct ReadFile: Sendable, Hashable {
  /// The path of the step, or of the opening of the component.
  package let step: String
  /// The path from the folder of the main scenario.
  package let path: String
  /// The digest of the content: `sha256:` and 64 hexadecimal digits.
  package let digest: String

  /// Creates the file of a recording.
  package init(step: String, path: String, digest: String) {
    (self.step, self.path, self.digest) = (step, path, digest)
  }

  /// The digest of a content.
  package static func digest(of content: [UInt8]) -> String {
    "sha256:" + SHA256(content).hexadecimal
  }
}

extension [ReadFile] {
  /// The files in the order of a transcript: by the bytes of steps, then of paths.
  package var inOrder: [ReadFile] {
    sorted {
      $0.step == $1.step
        ? $0.path.utf8.lexicographicallyPrecedes($1.path.utf8)
        : $0.step.utf8.lexicographicallyPrecedes($1.step.utf8)
    }
  }
}

/// The project files that the components of a run read.
///
/// The run must not depend on its own results: a file that it writes is left out, and so is a file
/// that changes after the start of the run, as by a program that it starts.
package final class FileReads: Sendable {
  private struct StepFile: Hashable {
    let step: String
    let file: String
  }

  private struct State {
    /// The digests, or nil for a file that is left out.
    var digests: [StepFile: String?] = [:]
    /// The files and folders that the run has changed.
    var changed: Set<String> = []
    /// The contents of small files, in which secrets may be found later.
    var contents: [StepFile: [UInt8]] = [:]

    /// Returns true if the run has changed a file, or a folder around it.
    func isChanged(_ file: String) -> Bool {
      changed.contains(file) || changed.contains { Path.inside(file, of: $0) != nil }
    }
  }

  /// The most files in one recording.
  package static let most = 1000
  /// The longest path of such a file in bytes.
  package static let longestPath = 1024
  private static let mostKnown = 100_000
  /// A digest of a longer file tells nothing about a secret in it.
  private static let longestGuess = 4096

  private let folder: String
  private let start = FileSystem.wallClock
  private let hides: @Sendable (String) -> Bool
  private let state = Mutex(State())

  /// Creates a list without files.
  ///
  /// - Parameters:
  ///   - folder: The folder of the main scenario, from which the paths are given.
  ///   - hides: Returns true for a text with a secret. Such a file is left out: a digest of little text is guessed.
  package init(from folder: Directory, hides: @escaping @Sendable (String) -> Bool) {
    self.folder = FileSystem.realPath(folder.path) ?? folder.path
    self.hides = hides
  }

  /// The files in the order of a transcript, at most `most` of them.
  package var files: [ReadFile] {
    let state = state.withLock { $0 }
    let files = state.digests.compactMap { key, digest -> ReadFile? in
      guard let digest, !state.isChanged(key.file),
        state.contents[key].map(isHidden) != true
      else { return nil }
      let path = Path.way(from: folder, to: key.file)
      guard path.utf8.count <= Self.longestPath, !hides(path) else { return nil }
      return ReadFile(step: key.step, path: path, digest: digest)
    }
    return Array(files.inOrder.prefix(Self.most))
  }

  /// Notes a whole file, by its full path without links, that a step has read.
  fileprivate func note(_ content: [UInt8], of file: String, by step: String) {
    let key = StepFile(step: step, file: file)
    let isOwn = FileSystem.isChanged(file, since: start) || isHidden(content)
    let digest = isOwn ? nil : ReadFile.digest(of: content)
    state.withLock { state in
      guard let known = state.digests[key] else {
        if state.digests.count >= Self.mostKnown { return }
        state.digests[key] = .some(digest)
        if content.count <= Self.longestGuess { state.contents[key] = content }
        return
      }
      // It has changed meanwhile.
      if known != digest { state.digests[key] = .some(nil) }
    }
  }

  /// Notes a file or a folder that the run changes.
  fileprivate func note(changed file: String) { state.withLock { _ = $0.changed.insert(file) } }

  private func isHidden(_ content: [UInt8]) -> Bool {
    hides(String(decoding: content, as: UTF8.self))
  }
}

extension FileReads: Hashable {
  package static func == (left: FileReads, right: FileReads) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Directory {
  /// The same folder, whose files are noted as read by a step.
  package func noting(_ reads: FileReads?, by step: @autoclosure () -> String) -> Directory {
    guard let reads else { return self }
    var copy = self
    copy.reading = Reading(reads: reads, step: step())
    return copy
  }

  /// The list of the files that are read, and the step that reads them.
  struct Reading: Sendable, Hashable {
    let reads: FileReads
    let step: String
  }

  /// Notes a file that was read whole.
  func noteRead(_ path: String, _ content: [UInt8]) {
    guard let reading, let file = realPath(path) else { return }
    reading.reads.note(content, of: file, by: reading.step)
  }

  /// Notes a file or folder that is changed.
  func noteChange(_ path: String) {
    guard let reading, let file = realPath(path) else { return }
    reading.reads.note(changed: file)
  }

  /// The full path without links, as far as it exists.
  private func realPath(_ path: String) -> String? {
    // A path that cannot be looked at has failed already.
    guard let full = try? resolve(path) else { return nil }
    if let real = FileSystem.realPath(full) { return real }
    let plain = Path.plain(full)
    return FileSystem.realPath(Path.folder(of: plain)).map {
      Path.joined($0, String(plain.split(separator: "/").last ?? ""))
    }
  }
}
