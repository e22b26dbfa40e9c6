import FlowTranscript

extension Recorder {
  /// The transcript's file.
  var text: String { String(decoding: recording.bytes, as: UTF8.self) }

  /// Stores the bodies that it names.
  func storeBodies(beside path: String) throws {
    let folder = BlobFolder(beside: path)
    for (blob, content) in recording.bodies { try folder.store(content, of: blob) }
  }
}
