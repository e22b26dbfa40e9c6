internal import FlowCore
internal import FlowScenario
internal import FlowTranscript

extension FlowCommand {
  /// Hides what the project around a file says; false after the problems of its file were printed.
  func hidePatterns(around path: String) -> Bool {
    guard let project = project(around: path) else { return false }
    redactor.use(project.file?.patterns ?? [])
    return true
  }

  /// Who hides the secrets of one run; the command's texts hide them, too.
  func runRedactor() -> Redactor { Redactor(within: redactor) }

  /// Writes a document for machines.
  ///
  /// Secrets are hidden in all of its texts. What the project's patterns match is hidden in the data that it is
  /// built of, before: they would match codes and digests, too.
  func write(_ document: JSON) {
    var writer = JSONWriter()
    writer.value(document.redacted(by: redactor.withoutPatterns, names: false))
    world.documentOutput(String(decoding: writer.bytes, as: UTF8.self) + "\n")
  }
}

extension CommandWorld {
  /// The same world, in which every text for people is redacted as the last thing before it leaves.
  func redacted(by redactor: Redactor) -> CommandWorld {
    var world = self
    let (output, errorOutput) = (output, errorOutput)
    world.documentOutput = output
    world.output = { output(redactor.redacted($0)) }
    world.errorOutput = { errorOutput(redactor.redacted($0)) }
    return world
  }
}
