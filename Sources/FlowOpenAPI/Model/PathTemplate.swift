internal import FlowCore
internal import FlowSchema
internal import FlowSystem

/// A segment of a request's path, between two slashes.
public enum OpenAPIPathSegment: Sendable, Hashable {
  /// A text, percent-encoded as sent.
  case text(String)
  /// An expression that is not known before the run.
  case unknown
}

/// A path with parameters: `/orders/{id}/items/{number}.json`.
struct PathTemplate: Sendable {
  /// A part of a segment.
  enum Part: Sendable, Hashable {
    case literal(String)
    case parameter(String)
  }

  /// The segments between the slashes.
  let segments: [[Part]]

  /// Reads a template, or returns nil for braces without their counterpart.
  init?(_ text: String) {
    var segments: [[Part]] = []
    for segment in Self.segments(text) {
      guard let parts = Self.parts(of: segment) else { return nil }
      segments.append(parts)
    }
    self.segments = segments
  }

  /// The names of the parameters in order.
  var names: [String] {
    segments.joined().compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }

  /// The template without the names of its parameters: equal for templates of the same paths.
  var shape: String {
    segments.map { parts in
      parts.map { if case .literal(let text) = $0 { text } else { "{}" } }.joined()
    }.joined(separator: "/")
  }

  /// The segments of a path, without the empty one before the first slash.
  static func segments(_ path: String) -> [String] {
    var parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if parts.first?.isEmpty == true { parts.removeFirst() }
    return parts.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func parts(of segment: String) -> [Part]? {
    var (parts, rest): ([Part], Substring) = ([], Substring(segment))
    while !rest.isEmpty {
      guard let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) else { break }
      guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}") else { return nil }
      if brace > rest.startIndex { parts.append(.literal(String(rest[..<brace]))) }
      let name = rest[brace..<end].dropFirst()
      guard !name.isEmpty, !name.contains("{") else { return nil }
      parts.append(.parameter(String(name)))
      rest = rest[end...].dropFirst()
    }
    if !rest.isEmpty || parts.isEmpty { parts.append(.literal(String(rest))) }
    return parts
  }

  // MARK: - Fitting

  /// The closeness of a path to a template: the lesser, the closer.
  struct Fit: Comparable, Sendable {
    /// The number of literals that stand for unknown segments.
    var guesses = 0
    /// The number of segments behind a server's path.
    var prefix = 0
    /// For each segment that is known: 0 for a literal, the number of parameters beside literals, or
    /// the greatest number for a parameter alone.
    var kinds: [Int] = []

    static func < (left: Fit, right: Fit) -> Bool {
      if left.guesses != right.guesses { return left.guesses < right.guesses }
      if left.prefix != right.prefix { return left.prefix > right.prefix }
      return left.kinds.lexicographicallyPrecedes(right.kinds)
    }
  }

  func fit(of path: ArraySlice<OpenAPIPathSegment>, behind prefix: Int) -> Fit? {
    guard path.count == segments.count else { return nil }
    var fit = Fit(prefix: prefix)
    for (parts, segment) in zip(segments, path) {
      switch segment {
      case .unknown:
        let isLiteral = parts.allSatisfy { if case .literal = $0 { true } else { false } }
        fit.guesses += isLiteral ? 1 : 0
      case .text(let text):
        guard let values = Self.values(of: parts, in: text) else { return nil }
        fit.kinds.append(parts.count == values.count ? .max : values.count)
      }
    }
    return fit
  }

  /// The raw texts of the parameters in a path, or nil for another path.
  func values(in path: ArraySlice<String>) -> [(name: String, text: String)]? {
    guard path.count == segments.count else { return nil }
    var all: [(name: String, text: String)] = []
    for (parts, text) in zip(segments, path) {
      guard let values = Self.values(of: parts, in: text) else { return nil }
      all += values
    }
    return all
  }

  /// Each parameter but the last ends where the next literal first occurs.
  private static func values(
    of parts: [Part], in text: String
  ) -> [(name: String, text: String)]? {
    if case .literal(let literal)? = parts.first, parts.count == 1 {
      let isEqual = text.isIdentical(to: literal) || text.percentDecoded == literal.percentDecoded
      return isEqual ? [] : nil
    }
    var (values, rest) = ([(name: String, text: String)](), Array(text.utf8)[...])
    for (index, part) in parts.enumerated() {
      switch part {
      case .literal(let literal):
        let isLast = index == parts.count - 1
        guard rest.starts(with: literal.utf8), !isLast || rest.count == literal.utf8.count else {
          return nil
        }
        rest = rest.dropFirst(literal.utf8.count)
      case .parameter(let name):
        guard let length = length(of: rest, before: parts.dropFirst(index + 1)), length > 0 else {
          return nil
        }
        values.append((name, String(decoding: rest.prefix(length), as: UTF8.self)))
        rest = rest.dropFirst(length)
      }
    }
    return values
  }

  private static func length(of rest: ArraySlice<UInt8>, before parts: ArraySlice<Part>) -> Int? {
    guard case .literal(let literal)? = parts.first else {
      // Two parameters side by side: the first takes one byte.
      return parts.isEmpty ? rest.count : min(1, rest.count)
    }
    let wanted = Array(literal.utf8)
    guard rest.count > wanted.count else { return nil }
    let starts = 1...(rest.count - wanted.count)
    let isLast = parts.count == 1
    return isLast
      ? starts.last { rest.dropFirst($0).elementsEqual(wanted) }
      : starts.first { rest.dropFirst($0).starts(with: wanted) }
  }
}

extension OpenAPIOperation {
  /// The best way in which a path fits, or nil.
  func fit(of path: [OpenAPIPathSegment]) -> PathTemplate.Fit? {
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

  /// Returns the path of a request to the operation, from the path of a base address.
  ///
  /// The base may end with the path of the described server, or the path has to begin with it.
  public func path(_ path: String, below base: String) -> String {
    guard let prefix = serverPaths.first(where: { !$0.isEmpty && $0 != "/" }) else { return path }
    let ending = prefix.hasSuffix("/") ? String(prefix.dropLast()) : prefix
    return base == ending + "/" || base.hasSuffix(ending) ? path : ending + path
  }
}
