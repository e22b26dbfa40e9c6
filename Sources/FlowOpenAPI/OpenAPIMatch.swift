internal import FlowCore
internal import FlowSystem

/// The operations that may be those of a request.
public enum OpenAPIMatch: Sendable {
  /// The only operation.
  case one(OpenAPIOperation)
  /// Some operations, of which the unknown parts decide.
  case several([OpenAPIOperation])
  /// No operation.
  case none(Mismatch)

  /// The reasons why no operation has a method and path.
  public struct Mismatch: Sendable, Hashable {
    /// The methods that the path has, empty for an unknown path.
    public let methods: [String]
    /// The paths near the given one, at most four.
    public let near: [String]

    /// True if the path has other methods.
    public var pathExists: Bool { !methods.isEmpty }
  }
}

extension OpenAPIDescription {
  /// Returns the operations whose method and path may be those of a request.
  ///
  /// A server's path may precede the operation's, or be absent. Literal paths win over templates.
  /// An unknown segment fits every parameter, and a literal only if no operation has a parameter
  /// there.
  public func match(method: String, path: [OpenAPIPathSegment]) -> OpenAPIMatch {
    let method = method.uppercased()
    let candidates = operations.compactMap { operation in
      operation.fit(of: path).map { (operation: operation, fit: $0) }
    }
    let own = candidates.filter { $0.operation.method == method }
    guard let best = own.map(\.fit).min() else {
      let methods = candidates.map(\.operation.method).unique
      return .none(
        OpenAPIMatch.Mismatch(methods: methods, near: methods.isEmpty ? near(path) : []))
    }
    let winners = own.filter { $0.fit == best }.map(\.operation)
    if winners.count == 1, let first = winners.first { return .one(first) }
    return .several(winners)
  }

  /// Returns the operations of a request's method and raw path.
  public func match(method: String, path: String) -> OpenAPIMatch {
    match(method: method, path: PathTemplate.segments(path).map { .text($0) })
  }

  private func near(_ path: [OpenAPIPathSegment]) -> [String] {
    let text = path.reduce("") { text, segment in
      switch segment {
      case .text(let part): text + "/" + part
      case .unknown: text + "/{}"
      }
    }
    return Suggestion.nearest(to: text, among: operations.map(\.path).unique)
  }
}

extension OpenAPIMatch.Mismatch {
  /// The reason that there is no operation with a method and a path.
  public func reason(against method: String, _ path: String) -> String {
    NoOperation.reason(method, path, has: methods, near: near)
  }
}

extension OpenAPIDescription {
  /// The reason that there is no operation with a name.
  public func reason(againstName name: String) -> String {
    NoOperation.reason(name, among: operations.compactMap(\.id))
  }
}
