import FlowCore

/// Pictures of a server, reached through an `http` component: `GET images/PATH`.
enum PictureServer {
  static let role = Role(
    "server", "Has the pictures: an 'http' component with the shop's server.", optional: true)
  static let get = role.call(
    "get", Parameter<String>("path", "The picture."), answers: Reply.record, errors: failures)
  // Each means that there is no answer, whatever the reason.
  private static let failures = [
    "invalid", "file", "unreachable", "tls", "timeout", "protocol", "too_large", "forbidden",
  ].map { ErrorCode($0, "") }

  /// What the server answers.
  struct Reply: Sendable {
    var status: Int
    var bytes: Bytes?
    var text: String

    static let record = Record(
      Reply.init(status:bytes:text:), Field("status", \.status, "The status code."),
      Field("bytes", \.bytes, "The picture."),
      Field("text", \.text, "The body of an answer that is no picture."))
  }

  /// The picture of a path, or why there is none.
  static func load(_ path: String, _ context: Context) async -> Result<Picture, PictureError> {
    do {
      let reply = try await get("images/\(path)", in: context)
      switch reply.status {
      case 200:
        let bytes = reply.bytes?.content ?? Array(reply.text.utf8)
        return Result { () throws(PictureError) in try Picture(bytes, at: path) }
      case 404: return .failure(.unreadable(FileError(.missing, path: path)))
      default: return .failure(.noAnswer("the server answered \(reply.status)"))
      }
    } catch {
      return .failure(.noAnswer("\(error)"))
    }
  }
}
