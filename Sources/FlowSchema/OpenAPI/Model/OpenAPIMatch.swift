internal import FlowCore
internal import FlowSystem

/// A segment of a request's path, between two slashes.
public enum OpenAPIPathSegment: Sendable, Hashable {
  /// A text, percent-encoded as sent.
  case text(String)
  /// An expression that is not known before the run.
  case unknown
}

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

extension OpenAPIOperation {
  /// The best way in which a path fits, or nil.
  fileprivate func fit(of path: [OpenAPIPathSegment]) -> PathTemplate.Fit? {
    prefixes.compactMap { prefix -> PathTemplate.Fit? in
      guard path.count >= prefix.count, zip(prefix, path).allSatisfy({ .text($0) == $1 }) else {
        return nil
      }
      return template.fit(of: path.dropFirst(prefix.count), behind: prefix.count)
    }.min()
  }

  /// Returns the texts of the path's parameters in a raw path, or nil for another path.
  func pathValues(_ path: String) -> [(name: String, text: String)]? {
    let segments = PathTemplate.segments(path)
    for prefix in prefixes.sorted(by: { $0.count > $1.count }) where segments.starts(with: prefix) {
      if let values = template.values(in: segments.dropFirst(prefix.count)) { return values }
    }
    return nil
  }

  private var prefixes: [[String]] {
    (serverPaths.map { PathTemplate.segments($0).filter { !$0.isEmpty } } + [[]]).unique
  }
}
