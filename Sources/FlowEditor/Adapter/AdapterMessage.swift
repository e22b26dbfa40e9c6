internal import FlowCore
internal import FlowRedaction
internal import FlowSystem

/// A request of a client of the Debug Adapter Protocol.
struct AdapterRequest: Sendable {
  /// The number of the request.
  let number: Int
  /// The name of the request, such as `stackTrace`.
  let command: String
  /// The arguments, an object, or null without any.
  let arguments: JSON

  /// Reads a message, or returns nil for anything but a request.
  init?(_ message: JSON) {
    guard message["type"]?.string == "request", let number = message["seq"]?.int,
      let command = message["command"]?.string
    else { return nil }
    self.number = number
    self.command = command
    arguments = message["arguments"] ?? .null
  }
}

extension AdapterRequest {
  /// True if a person has asked for it, and not the client for one of its views.
  var isOfPerson: Bool {
    switch command {
    case "launch", "attach", "continue", "next", "stepIn", "stepOut", "stepBack",
      "reverseContinue", "pause", "restartFrame", "continueLive":
      true
    case "evaluate": arguments["context"]?.string == "repl"
    default: false
    }
  }
}

/// A request that cannot be fulfilled, with the reason for a person.
struct AdapterError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// Numbers and sends the messages to a client, with secrets hidden in what it shows.
final class AdapterOutput {
  private let redactor: Redactor
  private let send: @Sendable (JSON) -> Void
  private var count = 0

  init(_ redactor: Redactor, _ send: @escaping @Sendable (JSON) -> Void) {
    (self.redactor, self.send) = (redactor, send)
  }

  /// Answers a request.
  func respond(to request: AdapterRequest, _ body: JSON? = nil) {
    message(
      "response",
      [
        ("request_seq", .int(request.number)), ("success", .bool(true)),
        ("command", .string(request.command)), ("body", body),
      ])
  }

  /// Answers that a request cannot be fulfilled.
  func refuse(_ request: AdapterRequest, _ reason: String) {
    let reason = redactor.redacted(reason)
    // Braces in a format surround variables.
    let error = JSON.fields([
      "id": .int(1), "format": .string("{reason}"),
      "variables": .fields(["reason": .string(reason)]), "showUser": .bool(request.isOfPerson),
    ])
    message(
      "response",
      [
        ("request_seq", .int(request.number)), ("success", .bool(false)),
        ("command", .string(request.command)), ("message", .string(reason)),
        ("body", .fields([("error", error)])),
      ])
  }

  /// Sends an event.
  func event(_ name: String, _ body: JSON? = nil) {
    message("event", [("event", .string(name)), ("body", body)])
  }

  /// Shows a text to the person: `console`, `stdout` or `stderr`.
  func show(_ text: String, _ category: String = "console") {
    let text = redactor.redacted(text)
    let line = text.hasSuffix("\n") ? text : text + "\n"
    event("output", .fields([("category", .string(category)), ("output", .string(line))]))
  }

  private func message(_ type: String, _ members: [(String, JSON?)]) {
    count += 1
    var all: [(String, JSON?)] = [("seq", .int(count)), ("type", .string(type))]
    all += members
    send(.fields(all))
  }
}
