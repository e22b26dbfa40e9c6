private import CPostgreSQL

/// The place of a server and its login, as libpq reads them from a URL.
public struct PostgreSQLAddress: Sendable {
  /// The libpq that has read the URL.
  public let library: PostgreSQLLibrary
  /// The parameters of a connection, by name.
  public var parameters: [String: String]
  /// The names of all parameters of this libpq, each of which may be new in its version.
  public let knownParameters: Set<String>

  /// Parses a URL, or returns nil for one that libpq does not understand.
  ///
  /// libpq's own reason is not available: it may quote a password.
  public init?(_ url: String, in library: PostgreSQLLibrary) {
    guard let options = Self.options(of: url, library.functions) else { return nil }
    self.library = library
    parameters = options.compactMapValues(\.self)
    knownParameters = Set(options.keys)
  }

  /// Returns all parameters known to libpq with their values in a URL, or nil for an invalid URL.
  private static func options(of url: String, _ functions: flow_pq) -> [String: String?]? {
    guard let options = unsafe functions.conninfoParse(url, nil) else { return nil }
    defer { unsafe functions.conninfoFree(options) }
    var values: [String: String?] = [:]
    var option = unsafe options
    while let keyword = unsafe option.pointee.keyword {
      let value = unsafe option.pointee.value.map { unsafe String(cString: $0) }
      values.updateValue(value, forKey: unsafe String(cString: keyword))
      unsafe option += 1
    }
    return values
  }

  /// The hosts that libpq tries in turn, each with its own port or with a shared one.
  ///
  /// A port is an empty string if the address has none.
  public var servers: [(host: String, port: String)] {
    let ports = Self.parts(parameters["port"])
    return Self.parts(parameters["host"]).enumerated().map { index, host in
      (host, ports.indices.contains(index) ? ports[index] : ports.last ?? "")
    }
  }

  private static func parts(_ list: String?) -> [String] {
    (list ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }
}
