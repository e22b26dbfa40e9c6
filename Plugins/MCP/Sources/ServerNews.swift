import FlowCore

/// What a server says by itself: events of the component, and lines for the person who watches the
/// run.
enum ServerNews {
  static let listChanged = EventKind(
    "list_changed", "The list of tools, prompts or resources has changed.",
    Record<String>("list", "The list: tools, prompts or resources."))
  static let resourceUpdated = EventKind(
    "resource_updated", "A resource of 'subscribe' has changed.",
    Record<String>("uri", "The URI of the resource, or of a part of it."))

  private static let lists = ["tools", "prompts", "resources"]

  static func report(_ heard: Heard, _ context: Context) {
    switch heard {
    case .question: break
    case .noise(let line):
      context.log("the server wrote a line that is no message: \(ServerText.quoted(line))")
    case .notification("notifications/resources/updated", let params):
      if let uri = params["uri"]?.string { context.emit(resourceUpdated, uri) }
    case .notification(let method, let params):
      if let list = lists.first(where: { method == "notifications/\($0)/list_changed" }) {
        context.emit(listChanged, list)
      } else if let text = text(of: method, params) {
        context.log(text)
      }
    }
  }

  /// The line for a notification, or nil for one that is not shown.
  static func text(of method: String, _ params: Value) -> String? {
    switch method {
    case "notifications/message":
      let level = params["level"]?.string ?? "info"
      let data = params["data"] ?? .null
      let text = data.string ?? data.summary(limit: 300)
      return "\(ServerText.line(level, limit: 20)): \(ServerText.line(text))"
    case "notifications/progress":
      let total = params["total"].map { " of \($0.summary(limit: 30))" } ?? ""
      let message = params["message"]?.string.map { ": \(ServerText.line($0))" } ?? ""
      return "progress \((params["progress"] ?? .null).summary(limit: 30))\(total)\(message)"
    default: return nil
    }
  }
}
