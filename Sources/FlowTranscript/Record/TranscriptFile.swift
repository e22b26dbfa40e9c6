internal import FlowSystem

// The file of a transcript, and the files of its bodies.
extension Transcript {
  /// The whole file.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return isSealed ? Seal.sealed(writer.bytes) : writer.bytes
  }

  /// The whole file, which a reader takes.
  ///
  /// - Throws: `RecordingExcess` when a line is too long or too deep, or all lines are too long.
  package func file() throws(RecordingExcess) -> [UInt8] {
    var writer = JSONWriter(longestLine: LineCursor.longest)
    write(to: &writer)
    if let excess = writer.excess { throw RecordingExcess(excess, at: nil) }
    if writer.count > TranscriptLine.mostBytes { throw RecordingExcess(ofLinesAt: nil) }
    return isSealed ? Seal.sealed(writer.bytes) : writer.bytes
  }

  /// True if the contents of all its bodies are known, and not only their names.
  var isWhole: Bool {
    var isWhole = true
    visitBodies { blob, value in
      if blob.form == .json {
        isWhole = isWhole && !value.isScalar
      } else {
        isWhole = isWhole && blob.content(of: value) != nil
      }
    }
    return isWhole
  }

  private func write(to writer: inout JSONWriter) {
    writer.value(header.json)
    writer.endLine()
    var repeated = RepeatedLists()
    for line in lines {
      line.write(to: &writer, &repeated)
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
  /// Returns the content of the file with a value, or nil if the value does not determine it.
  ///
  /// It does not if the file could not be read, or if its JSON is written in another way.
  fileprivate func content(of value: JSON) -> [UInt8]? {
    Self.content(of: value, form).flatMap { isName(of: $0) ? $0 : nil }
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
  /// Writes the line of a whole transcript, in which an input may repeat an earlier one.
  fileprivate func write(to writer: inout JSONWriter, _ repeated: inout RepeatedLists) {
    guard case .invoke(let name, _) = kind, let value,
      let shortened = repeated.shortened(value.written, of: name, at: at)
    else { return write(to: &writer) }
    kind.write(at: at, to: &writer, like: shortened.like) { $0.value(shortened.input) }
  }

  /// The line as text, without its end.
  var text: String {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.text
  }
}
