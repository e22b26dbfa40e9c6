internal import FlowCore
internal import FlowSystem

// The member `files` of the last line: `{"table":{"cases.csv":"sha256:…"}}`.
extension [ReadFile] {
  /// Reads the member.
  ///
  /// Nil for anything that flow does not write.
  init?(_ json: JSON) {
    guard case .object(let steps) = json, !steps.isEmpty else { return nil }
    self = []
    for step in steps {
      guard case .object(let files) = step.value, !files.isEmpty else { return nil }
      for file in files {
        guard let digest = file.value.string, Blob.digits(of: digest) != nil,
          1...FileReads.longestPath ~= file.name.utf8.count, !file.name.utf8.contains(0)
        else { return nil }
        append(ReadFile(step: step.name, path: file.name, digest: digest))
      }
    }
    guard count <= FileReads.most, self == inOrder else { return nil }
  }

  /// Writes the member, unless there are no files.
  func write(to sink: inout some JSONSink) {
    if isEmpty { return }
    sink.name("files")
    sink.beginObject()
    var step: String?
    for file in self {
      if file.step != step {
        if step != nil { sink.endObject() }
        step = file.step
        sink.name(file.step)
        sink.beginObject()
      }
      sink.name(file.path)
      sink.string(file.digest)
    }
    sink.endObject()
    sink.endObject()
  }
}
