import FlowCore
import FlowSchema

/// The failures that callers of tools meet.
enum ToolFaults {
  /// The words of an error that no server has said.
  private static let injected = "the error is injected by the schedule"
  private static let delay = Duration.seconds(5)

  /// The failures of a step's call.
  ///
  /// A tool that reports an error, an error of the protocol and a tool that is gone are one error to
  /// a step, `failed`.
  static func ofCalls(_ tool: Tool) -> [Fault<ToolAnswer>] {
    let ofTool = tool.errors.map { code in
      Fault<ToolAnswer>.error(code.name, "The tool reports its error '\(code.name)'.", code)
    }
    return ofTool.filter { !names.contains($0.name) } + [
      .error("failed", "The tool reports an error.", .failed),
      .error("timeout", "The tool does not answer in time.", .timeout),
      .late("slow", "The tool answers after five seconds.", by: delay),
      .lost("lost", "The tool has done its work, and the server ends.", .unavailable),
      .changed("changed", "The tool has another result.") { $0.changed(for: tool) },
    ]
  }

  private static let names: Set<String> = ["failed", "timeout", "slow", "lost", "changed"]

  /// The failures of the calls of another client, such as an agent, of these tools.
  static func ofExchanges(
    _ input: Record<ExchangedRequest>, _ tools: [String: Tool]
  ) -> [Fault<ExchangedAnswer>] {
    let faults: [Fault<ExchangedAnswer>] = [
      .answer("failed", "The tool reports an error.", ExchangedAnswer(failure(injected))),
      .answer(
        "protocol-error", "The server answers with an error of the protocol.",
        ExchangedAnswer(ServerFailure(code: -32603, message: injected))),
      .answer("gone", "The server has no such tool any more.", of: input) { request in
        let name = request.params["name"]?.string ?? ""
        return ExchangedAnswer(ServerFailure(code: -32602, message: "Unknown tool: \(name)"))
      },
      .error("timeout", "The tool does not answer.", .timeout),
      .late("slow", "The tool answers after five seconds.", by: delay),
      .lost("lost", "The tool has done its work, and the server ends.", .unavailable),
      .changed("changed", "The tool has another result.", of: input) { answer, request in
        answer.changed(for: request.params["name"]?.string.flatMap { tools[$0] })
      },
    ]
    return faults.map { $0.only(input) { $0.method == "tools/call" } }
  }

  private static func failure(_ text: String) -> Value {
    let block = ValueMap([("type", .string("text")), ("text", .string(text))])
    return .map(ValueMap([("content", .list([.map(block)])), ("isError", .bool(true))]))
  }
}

extension Tool {
  /// Returns another result that flow.lock allows, or nil without one.
  fileprivate func otherResult(_ result: Value) -> Value? {
    output?.otherValue(of: result) ?? (output == nil ? result.changedInOnePart : nil)
  }
}

extension ToolAnswer {
  /// The answer with another result, or the same one if the tool can have no other.
  fileprivate func changed(for tool: Tool) -> ToolAnswer {
    if json == .null {
      let blocks = content.changingText { $0 + "~" }
      return ToolAnswer(text: text.isEmpty ? text : text + "~", json: json, content: blocks)
    }
    guard let other = tool.otherResult(json) else { return self }
    // The text of a tool with a result is mostly the same result.
    let isSame = (try? Value(json: [UInt8](text.utf8))) == json
    return ToolAnswer(
      text: isSame ? other.json : text, json: other,
      content: content.replacing(result: json, by: other))
  }
}

extension ExchangedAnswer {
  /// The answer with another result, or the same one for an error and for a tool that can have no
  /// other.
  fileprivate func changed(for tool: Tool?) -> ExchangedAnswer {
    guard var map = result?.map, map["isError"] != .bool(true) else { return self }
    let content = map["content"]?.list ?? []
    if let known = map["structuredContent"], known != .null {
      guard let other = tool.map({ $0.otherResult(known) }) ?? known.changedInOnePart else {
        return self
      }
      map[.string("structuredContent")] = other
      if map["content"] != nil {
        map[.string("content")] = .list(content.replacing(result: known, by: other))
      }
    } else {
      map[.string("content")] = .list(
        content.changingText { text in
          let other = (try? Value(json: [UInt8](text.utf8)))?.changedInOnePart
          return other?.json ?? text + "~"
        })
    }
    return ExchangedAnswer(.map(map))
  }
}

extension [Value] {
  /// The blocks of a content with the text of the first one changed that is text.
  fileprivate func changingText(_ change: (String) -> String) -> [Value] {
    guard let index = firstIndex(where: { $0["type"] == .string("text") }),
      var block = self[index].map, let text = block["text"]?.string
    else { return self }
    var copy = self
    block[.string("text")] = .string(change(text))
    copy[index] = .map(block)
    return copy
  }

  /// The blocks with another result in each text that is the result.
  fileprivate func replacing(result: Value, by other: Value) -> [Value] {
    map { element in
      guard var block = element.map, let text = block["text"]?.string,
        (try? Value(json: [UInt8](text.utf8))) == result
      else { return element }
      block[.string("text")] = .string(other.json)
      return .map(block)
    }
  }
}
