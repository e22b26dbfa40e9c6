import FlowCore

/// Shows what a server says by itself to the person who watches the run.
enum ServerNews {
  static func show(_ heard: ProgramLink.Heard, _ context: Context) {
    switch heard {
    case .noise(let line):
      context.log("the server wrote a line that is no message: \(ServerText.quoted(line))")
    case .notification(let method, let params):
      if let text = text(of: method, params) { context.log(text) }
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
