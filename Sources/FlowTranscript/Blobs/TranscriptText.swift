internal import FlowCore

extension Transcript {
  /// The transcript for people: who was asked for what, and what the answer was.
  ///
  /// Values are JSON as in the lines, at most `limit` unicode scalars of each; names of blobs are
  /// resolved.
  package func text(limit: Int) -> String {
    let plugins = header.plugins.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
    var text = Value.onOneLine("\(header.scenario), recorded with \(plugins)") + "\n"
    for input in header.inputs {
      text += "  \(Self.line(input.name, limit)): \(Self.line(input.value, limit))\n"
    }
    for call in calls { text += Self.text(of: call, limit) }
    text += passed ? "passed\n" : "failed\n"
    guard case .object(let outputs) = outputs else { return text }
    for output in outputs {
      text += "  \(Self.line(output.name, limit)): \(Self.line(output.value, limit))\n"
    }
    return text
  }

  private static func text(of call: Call, _ limit: Int) -> String {
    let name = line(call.name, limit)
    var text = "\(line(call.address, limit))  \(name) \(line(call.input, limit))\n"
    for (event, payload) in call.emitted {
      text += "  emits \(line(event, limit)) \(line(payload, limit))\n"
    }
    switch call.answer {
    case .output(let output)?: text += "  ok \(line(output, limit))\n"
    case .error(let code, let message)?:
      text += "  error \(line(code, limit)): \(line(message, limit))\n"
    case .cancelled?: text += "  cancelled\n"
    case nil: text += "  no answer\n"
    }
    return text
  }

  private static func line(_ json: JSON, _ limit: Int) -> String {
    var writer = JSONWriter()
    writer.value(json)
    return line(String(decoding: writer.bytes, as: UTF8.self), limit)
  }

  /// One line of bounded length, whatever the transcript holds.
  private static func line(_ text: String, _ limit: Int) -> String {
    let scalars = text.unicodeScalars.prefix(limit)
    let isWhole = scalars.endIndex == text.unicodeScalars.endIndex
    return Value.onOneLine(String(scalars)) + (isWhole ? "" : "…")
  }
}
