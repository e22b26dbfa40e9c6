import FlowCore
import HTTPPlugin

/// The answer of a server behind a URL to one request: a message, or a stream of messages.
struct WebAnswer {
  private let call: WebCall
  /// Takes a message, and returns the result if it is that.
  private let take: (Value) async throws -> Value?

  private static let longest = 64 << 20

  init(to call: WebCall, take: @escaping (Value) async throws -> Value?) {
    self.call = call
    self.take = take
  }

  /// Reads an answer of one message, or of a batch.
  ///
  /// - Throws: `MCPError.malformed` and the failure of the call.
  func whole(_ response: WebResponse) async throws -> Value {
    let body = try await response.body()
    let value: Value
    do throws(JSONError) { value = try Value(json: body) } catch {
      throw MCPError.malformed(
        "the answer to '\(call.method)' \(ServerText.unreadable(error, body))")
    }
    var result: Value?
    for part in value.list ?? [value] { result = try await take(part) ?? result }
    guard let result else {
      throw MCPError.malformed(
        "the answer to '\(call.method)' has no result: \(ServerText.line(value.summary(limit: 200)))"
      )
    }
    return result
  }

  /// Reads a stream until the result.
  ///
  /// A stream with event ids that ends before is resumed after the pause that the server asks for.
  ///
  /// - Throws: `MCPError.malformed` and the failure of the call.
  func streamed(
    _ first: WebResponse, resume: (String) async throws -> WebResponse
  ) async throws -> Value {
    var (response, parser) = (first, EventParser(limit: Self.longest))
    while true {
      do {
        if let result = try await result(in: response, &parser) { return result }
      } catch let error as WebError where !isResumable(parser) {
        throw error
      } catch is WebError {
        // A lost connection is resumed, as one that the server ends.
      }
      guard isResumable(parser) else {
        throw MCPError.malformed("the stream ended without an answer to '\(call.method)'")
      }
      try await Task.sleep(for: parser.retry)
      parser.begin()
      response = try await resume(parser.lastID)
      guard response.status == 200, response.mediaType == "text/event-stream" else {
        defer { response.end() }
        throw try await Self.failure(response, to: call.method)
      }
    }
  }

  private func isResumable(_ parser: EventParser) -> Bool {
    !call.isStateless && !parser.lastID.isEmpty
  }

  private func result(
    in response: WebResponse, _ parser: inout EventParser
  ) async throws -> Value? {
    defer { response.end() }
    while let bytes = try await response.next() {
      for event in parser.events(in: bytes) where !event.data.isEmpty {
        let value: Value
        do throws(JSONError) { value = try Value(json: Array(event.data.utf8)) } catch {
          throw MCPError.malformed(
            "an event of '\(call.method)' \(ServerText.unreadable(error, event.data.utf8))")
        }
        for part in value.list ?? [value] {
          if let result = try await take(part) { return result }
        }
      }
      if parser.isExceeded {
        throw MCPError.malformed("the server wrote an event of more than \(Self.longest >> 20) MiB")
      }
    }
    return nil
  }

  /// Returns the failure in a response with a status of failure.
  static func failure(_ response: WebResponse, to method: String) async throws -> any Error {
    if let body = try? await response.body(), let value = try? Value(json: body),
      case .failure(_, let failure)? = Message(value), response.status != 404 || failure.isModern
    {
      return failure
    }
    return MCPError.status(response.status, method)
  }

  /// The words for a response that is neither JSON nor a stream.
  static func wrongType(_ response: WebResponse, to method: String) -> String {
    let type = response.header("content-type").map { "type '\(ServerText.line($0, limit: 60))'" }
    return "the answer to '\(method)' has \(type ?? "no type") and the status \(response.status), "
      + "not 'application/json' or 'text/event-stream'"
  }
}
