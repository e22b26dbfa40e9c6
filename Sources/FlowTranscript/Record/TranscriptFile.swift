internal import FlowSystem

// The file of a transcript, and the files of its bodies.
extension Transcript {
  /// The whole file.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return isSealed ? Seal.sealed(writer.bytes) : writer.bytes
  }

  /// The reason that a reader would refuse the file, or nil.
  var excess: RecordingExcess? {
    var writer = JSONWriter(longestLine: LineCursor.longest)
    write(to: &writer)
    return writer.excess.map { RecordingExcess($0, at: nil) }
  }

  private func write(to writer: inout JSONWriter) {
    writer.value(header.json)
    writer.endLine()
    for line in lines {
      line.write(to: &writer)
      writer.endLine()
    }
  }

  /// The contents of the bodies that the file names.
  package var bodies: [Blob: [UInt8]] {
    var bodies: [Blob: [UInt8]] = [:]
    visitBodies { blob, value in
      if bodies[blob] == nil { bodies[blob] = blob.content(of: value) }
    }
    return bodies
  }

  /// The digests of the bodies that the file names.
  package var bodyDigests: Set<String> {
    var digests: Set<String> = []
    visitBodies { blob, _ in digests.insert(blob.digest) }
    return digests
  }

  private func visitBodies(_ visit: (Blob, JSON) -> Void) {
    for input in header.values { input.value.visitBodies(visit) }
    for line in lines { line.value?.visitBodies(visit) }
  }
}

extension Blob {
  /// Returns the content of a value that is in a file, or nil for a file that somebody wrote in
  /// another way, which exists.
  fileprivate func content(of value: JSON) -> [UInt8]? {
    let content = Self.content(of: value, form)
    return form == .json && content.map(isName) == false ? nil : content
  }

  /// Returns the content of a value in a form, or nil for a value of another kind.
  static func content(of value: JSON, _ form: Form) -> [UInt8]? {
    switch (form, value) {
    case (.text, .string(let text)): Array(text.utf8)
    case (.base64, .string(let text)): Base64.decode(text)
    case (.json, _): Array(value.text.utf8)
    default: nil
    }
  }
}

extension TranscriptLine {
  /// The line as text, without its end.
  var text: String {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.text
  }
}
