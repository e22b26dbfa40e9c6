internal import FlowCore
package import FlowRedaction
internal import FlowSystem

extension Transcript {
  /// The number of bytes to gather before a write.
  private static let chunk = 1 << 16

  /// Writes the calls, their inputs and their answers for people.
  ///
  /// Values are JSON as in the lines, with at most `limit` unicode scalars each and blobs resolved.
  /// The output arrives in pieces of whole lines, each redacted before it is truncated, because a
  /// truncated secret could not be found any more.
  package func write(limit: Int, _ redactor: Redactor, to output: (String) -> Void) {
    var text = header.redacted(by: redactor).text(limit: limit)
    for call in calls {
      text += Self.text(of: call.redacted(by: redactor), limit)
      if text.utf8.count < Self.chunk { continue }
      output(text)
      text = ""
    }
    output(text + ending(outputs.json.redacted(by: redactor, names: true), limit))
  }

  private func ending(_ outputs: JSON, _ limit: Int) -> String {
    var text = passed ? "passed\n" : "failed\n"
    guard case .object(let outputs) = outputs else { return text }
    for output in outputs {
      text += "  \(Self.line(output.name, limit)): \(Self.line(output.value, limit))\n"
    }
    return text
  }

  private static func text(of call: Call, _ limit: Int) -> String {
    let name = line(call.name, limit)
    var text = "\(line("\(call.address)", limit))  \(name) \(line(call.input.json, limit))\n"
    for (event, payload) in call.emitted {
      text += "  emits \(line(event, limit)) \(line(payload.served, limit))\n"
    }
    switch call.answer {
    case .output(let output)?: text += "  ok \(line(output.served, limit))\n"
    case .error(let code, let message)?:
      text += "  error \(line(code, limit)): \(line(message, limit))\n"
    case .cancelled?: text += "  cancelled\n"
    case nil: text += "  no answer\n"
    }
    return text
  }

  fileprivate static func line(_ json: JSON, _ limit: Int) -> String {
    line(json.text, limit)
  }

  /// Returns one line of bounded length, for any transcript.
  fileprivate static func line(_ text: String, _ limit: Int) -> String {
    // The limit may be none.
    text.utf8.count <= limit ? text.onOneLine : text.shortened(to: limit + 1).onOneLine
  }
}

extension TranscriptHeader {
  /// Returns the scenario, the plugins and the inputs of the run as text.
  fileprivate func text(limit: Int) -> String {
    let plugins = plugins.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
    var text = ("\(scenario), recorded with \(plugins)").onOneLine + "\n"
    for input in inputs {
      text += "  \(Transcript.line(input.name, limit)): \(Transcript.line(input.value, limit))\n"
    }
    return text
  }
}
