internal import FlowCore
internal import FlowOpenAPI

/// The settings of a component that complete its requests, as far as they are known before the run.
struct ContractServer: Sendable {
  /// The base URL, or nil for an unknown one.
  private let base: WebAddress?
  /// The headers that the component adds to every request, with an empty value for an unknown one.
  let headers: [(name: String, value: String)]

  init(_ settings: KnownFields) {
    if case .string(let text)? = settings.values["base"] {
      base = try? WebAddress(text)
    } else {
      base = nil
    }
    var headers: [(name: String, value: String)] = (settings.names["headers"] ?? []).map { name in
      (name, settings.entries["headers"]?[name].map(NamedValues.headerText) ?? "")
    }
    let login = ["bearer", "user", "auth"]
    if login.contains(where: { settings.unknown.contains($0) || settings.isGiven($0) }) {
      headers.append(("authorization", ""))
    }
    self.headers = headers
  }

  /// The paths of a request in the description, the likeliest first.
  ///
  /// The base may end with the path of the described server, or replace it.
  func paths(of path: String) -> [String] {
    let below = path.hasPrefix("/") || path.isEmpty ? path : "/" + path
    guard let base, !base.rest.isEmpty, base.rest != "/" else { return [below] }
    let start = base.rest.hasSuffix("/") ? String(base.rest.dropLast()) : base.rest
    return [start + below, below]
  }

  /// Returns the path and the query of a URL below the base.
  func rest(of address: WebAddress) -> String {
    guard let base, !base.rest.isEmpty, address.rest.hasPrefix(base.rest) else {
      return address.rest
    }
    return String(address.rest.dropFirst(base.rest.utf8.count))
  }

  /// Returns true if a URL is one of another server.
  func isOther(_ address: WebAddress) -> Bool { base.map { !$0.isSameServer(as: address) } ?? true }

  /// The path that leads from the base to an operation of the description.
  func path(to operation: OpenAPIOperation, _ path: String) -> String {
    operation.path(path, below: base?.rest ?? "")
  }
}

extension KnownFields {
  /// True for a field with a value other than null.
  func isGiven(_ name: String) -> Bool {
    unknown.contains(name) || values[name].map { $0 != .null } ?? false
  }
}
