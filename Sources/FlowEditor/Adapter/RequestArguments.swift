internal import FlowSystem

extension JSON {
  /// Returns a member read as a kind of value, or nil if it is missing or null.
  ///
  /// - Throws: `AdapterError` for a value of another kind, which is never taken for a missing one.
  func wanted<Value>(
    _ name: String, _ read: (JSON) -> Value?, _ kind: String
  ) throws(AdapterError) -> Value? {
    guard let member = self[name], member != .null else { return nil }
    guard let value = read(member) else { throw AdapterError("'\(name)' must be \(kind)") }
    return value
  }

  func wantedNumber(_ name: String) throws(AdapterError) -> Int? {
    try wanted(name, \.int, "a whole number")
  }

  func wantedText(_ name: String) throws(AdapterError) -> String? {
    try wanted(name, \.string, "a string")
  }

  func wantedTruth(_ name: String) throws(AdapterError) -> Bool? {
    try wanted(name, \.truth, "true or false")
  }
}

/// The paths of files as the client writes them.
struct ClientPaths {
  /// A path in the client's words.
  private struct Given {
    /// As the client wrote it, possibly an address.
    let text: String
    let path: String
  }

  /// True for a client that writes the addresses of files.
  var areAddresses = false
  /// The paths that the client has named, by those without links.
  private var given: [String: Given] = [:]

  /// Takes a path of the client.
  ///
  /// Returns the path that it means.
  mutating func take(_ text: String) -> String {
    let path = areAddresses ? DocumentURI.path(of: text) ?? text : text
    if path.hasPrefix("/"), let real = FileSystem.realPath(path) {
      given[real] = Given(text: text, path: path)
    }
    return path
  }

  /// Returns the path of a file as the client would write it: as it has, or below the folder of a
  /// file that it has named.
  func shown(_ file: String) -> String {
    let real = FileSystem.realPath(file) ?? file
    if let same = given[real] {
      return same.text.hasPrefix("/") ? shown(path: same.path) : same.text
    }
    var best = (folder: "", path: real)
    for (other, named) in given {
      let folders = (Path.folder(of: other), Path.folder(of: named.path))
      guard folders.0.utf8.count > best.folder.utf8.count, real.hasPrefix(folders.0 + "/") else {
        continue
      }
      best = (folders.0, folders.1 + real.dropFirst(folders.0.count))
    }
    return shown(path: best.path)
  }

  private func shown(path: String) -> String { areAddresses ? DocumentURI.uri(of: path) : path }
}
