internal import FlowCore
internal import FlowScenario
internal import FlowTranscript

extension FlowCommand {
  /// The scenario of a transcript or journal: the one that the user names, else the one that the file does.
  ///
  /// - Throws: `TranscriptError` when the file leads to one that is neither beside it nor where the user works.
  func scenario(
    _ given: String?, of header: TranscriptHeader, in file: String
  ) throws(TranscriptError) -> String {
    if let given { return given }
    let project = ProjectFile.folder(around: ".").map { [$0] } ?? []
    return try header.scenarioPath(beside: file, or: ["."] + project)
  }
}
