import FlowCore

/// Pictures of a server, reached through an `http` component: `GET images/PATH`.
enum PictureServer {
  static let role = Role(
    "server", "Provides the pictures: an 'http' component for the shop's server.", optional: true)
  static let get = role.call(
    "get", Parameter<String>("path", "The picture."), answers: Reply.record, errors: failures)
  // Each means that there is no answer.
  private static let failures = [
    "invalid", "file", "unreachable", "tls", "timeout", "protocol", "too_large", "forbidden",
  ].map { ErrorCode($0, "") }

  /// A response of the server.
  struct Reply: Sendable {
    var status: Int
    var bytes: Bytes?
    var text: String

    static let record = Record(
      Reply.init(status:bytes:text:), Field("status", \.status, "The status code."),
      Field("bytes", \.bytes, "The picture."),
      Field("text", \.text, "The body of a response that is not a picture."))
  }

  /// The picture of a path, or the reason for its absence.
  static func load(_ path: String, _ context: Context) async -> Result<Picture, PictureError> {
    guard let encoded = encoded(path) else {
      return .failure(.unreadable(FileError(.forbidden, path: path)))
    }
    do {
      let reply = try await get("images/\(encoded)", in: context)
      switch reply.status {
      case 200:
        let bytes = reply.bytes?.content ?? Array(reply.text.utf8)
        return Result { () throws(PictureError) in try Picture(bytes, at: path) }
      case 404: return .failure(.unreadable(FileError(.missing, path: path)))
      default: return .failure(.noAnswer("the server returned \(reply.status)"))
      }
    } catch is CancellationError {
      return .failure(.noAnswer("the load was stopped"))
    } catch {
      return .failure(.noAnswer("\(error)"))
    }
  }

  /// The path as a part of a URL (RFC 3986, section 3.3), or nil for a path out of the pictures'
  /// folder.
  private static func encoded(_ path: String) -> String? {
    let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard
      !names.contains(where: {
        $0.isEmpty || $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8)
      })
    else { return nil }
    return PercentEncoding.path.encode(path.utf8)
  }
}
