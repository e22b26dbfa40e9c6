internal import FlowCore

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

extension HTTPSettings {
  /// The longest path of a socket, which the systems limit to 107 or 103 bytes.
  private static let longest = 103

  /// The first problem with `unix_socket`, or nil.
  var problemOfSocket: String? {
    guard let unixSocket else { return nil }
    if base == nil { return "'unix_socket' needs 'base'" }
    if proxy != nil { return "'unix_socket' cannot be combined with 'proxy'" }
    if unixSocket.isEmpty || unixSocket.utf8.contains(0) {
      return "'unix_socket' is not the path of a socket"
    }
    return nil
  }

  /// Returns the path of the socket, absolute as written or below a folder, or nil.
  ///
  /// A socket is a server like any other: it may be anywhere, and the run has to allow every host.
  ///
  /// - Throws: `ComponentError` for a path that no socket can have.
  func socketPath(in directory: Directory) throws(ComponentError) -> String? {
    guard let unixSocket else { return nil }
    let path = unixSocket.hasPrefix("/") ? unixSocket : "\(directory.path)/\(unixSocket)"
    if path.utf8.count > Self.longest {
      throw ComponentError(
        .settings, "'unix_socket': '\(path)' has more than \(Self.longest) bytes")
    }
    return path
  }
}

/// A socket of this machine to which there is no connection.
struct UnreachableSocket: Sendable {
  let path: String

  /// The reason, found by looking at the file: libcurl only says that it cannot connect.
  var reason: String {
    var file = stat()
    guard unsafe stat(path, &file) == 0 else {
      return errno == EACCES ? "permission denied" : "no such file"
    }
    if file.st_mode & S_IFMT != S_IFSOCK { return "it is not a socket" }
    return unsafe access(path, W_OK) == 0 ? "nothing listens on it" : "permission denied"
  }
}
