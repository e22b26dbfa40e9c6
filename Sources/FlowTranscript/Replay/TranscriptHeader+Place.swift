internal import FlowCore

extension TranscriptHeader {
  /// The path of the scenario that is named, seen from where the transcript at `file` is seen from.
  package func scenarioPath(beside file: String) -> String {
    let isAbsolute = scenario.utf8.first == UInt8(ascii: "/")
    return isAbsolute ? scenario : Path.joined(Path.folder(of: file), scenario)
  }

  /// The path of the scenario that is named, which leads on from the folder of the transcript at `file`.
  ///
  /// Anybody may have written the transcript, and the scenario is quoted and run. So it lies, behind all links,
  /// in the transcript's folder, in one of `folders`, or below. One that is missing is not judged.
  ///
  /// - Throws: `TranscriptError` when it lies elsewhere.
  package func scenarioPath(
    beside file: String, or folders: [String]
  ) throws(TranscriptError) -> String {
    let path = scenarioPath(beside: file)
    guard let place = FileSystem.realPath(path) else { return path }
    let allowed = ([Path.folder(of: file)] + folders).compactMap(FileSystem.realPath)
    guard allowed.contains(where: { Path.inside(place, of: $0) != nil }) else {
      throw TranscriptError(.scenarioElsewhere(scenario), file: file, line: 1)
    }
    return path
  }
}
