internal import FlowSystem

/// The hosts that a run lets its components connect to.
///
/// A component that makes connections asks before each of them, and after each redirect:
///
///     guard context.network.allows(host: "example.org", port: 443) else { throw … }
public struct Network: Sendable, Hashable {
  // Each of the lists has to allow a host.
  private var lists: [[HostPattern]]

  /// Every host.
  public static let unlimited = Network(lists: [])
  /// No host.
  package static let none = Network(lists: [[]])

  private init(lists: [[HostPattern]]) { self.lists = lists }

  /// Allows only these hosts.
  ///
  /// A host is `example.org`, `*.example.org` for all below it, `example.org:8080` for one port, or
  /// `[::1]:8080`.
  ///
  /// - Throws: `HostError` for the first text of another form.
  public init(allowing hosts: [String]) throws(HostError) {
    var patterns: [HostPattern] = []
    for host in hosts {
      guard let pattern = HostPattern(host) else { throw HostError(text: host) }
      patterns.append(pattern)
    }
    self.init(lists: [patterns])
  }

  /// Returns true if a component may connect to a port of a host, which is written as in a URL.
  ///
  /// Names are compared, not looked up: `localhost` is not `127.0.0.1`. A name with letters beyond
  /// ASCII is allowed only if every host is. In a URL it can be written in ASCII, `xn--…`.
  public func allows(host: String, port: Int) -> Bool {
    let name = HostPattern.name(host)
    return lists.allSatisfy { $0.contains { $0.matches(name, port) } }
  }

  /// True if some hosts are not allowed.
  package var isLimited: Bool { !lists.isEmpty }

  /// Returns the network limited to the hosts that another one allows as well.
  package func limited(to other: Network) -> Network { Network(lists: lists + other.lists) }
}

/// A string that is not a host.
public struct HostError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The accepted forms, in words.
  package static let expected = "a host such as example.org, *.example.org, [::1] or localhost:8080"
  /// The text.
  public let text: String

  /// `'http://x' is not a host such as example.org, …`.
  public var description: String { "'\(text.escaped)' is not \(Self.expected)" }
}

/// `example.org`, `*.example.org:8080`.
private struct HostPattern: Hashable {
  // Lower case, without a trailing point, an IPv6 address in brackets.
  private let name: [UInt8]
  /// True for the names below it, without itself.
  private let isWildcard: Bool
  /// The one port, or nil for all.
  private let port: Int?

  /// Reads a pattern, or returns nil for a string of another form.
  init?(_ text: String) {
    guard let parts = URIAuthority(text), parts.userInformation == nil else { return nil }
    port = parts.port.flatMap(Self.port)
    if parts.port != nil, port == nil { return nil }
    let host = Array(parts.host.utf8)
    isWildcard = host.starts(with: "*.".utf8)
    name = Self.name(isWildcard ? host.dropFirst(2) : host[...])
    guard host.first == UInt8(ascii: "[") ? Self.isAddress(name) : Self.isName(name) else {
      return nil
    }
  }

  /// Returns true for a matching host, in the form of `name`.
  func matches(_ host: [UInt8], _ port: Int) -> Bool {
    guard self.port == nil || self.port == port else { return false }
    guard isWildcard else { return host == name }
    let tail = [UInt8(ascii: ".")] + name
    return host.count > tail.count && host.suffix(tail.count).elementsEqual(tail)
      && Self.isName(host)
  }

  /// A host in the form used for comparison.
  static func name(_ text: String) -> [UInt8] { name(Array(text.utf8)[...]) }

  private static func name(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    // By bytes: the letter K of Kelvin is in lower case an ASCII letter.
    let lower = bytes.map { $0.isLetter ? $0 | 0x20 : $0 }
    return lower.last == UInt8(ascii: ".") ? lower.dropLast() : lower
  }

  private static func port(_ digits: String) -> Int? {
    guard digits.utf8.allSatisfy(\.isDigit) else { return nil }
    return Int(digits).flatMap { 1...65_535 ~= $0 ? $0 : nil }
  }

  private static func isName(_ bytes: [UInt8]) -> Bool {
    let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.allSatisfy { label in
      !label.isEmpty && label.allSatisfy { $0.isWordCharacter || $0 == UInt8(ascii: "-") }
    }
  }

  private static func isAddress(_ bytes: [UInt8]) -> Bool {
    bytes.count > 2 && bytes.last == UInt8(ascii: "]")
      && bytes.dropFirst().dropLast().allSatisfy { "0123456789abcdef:.".utf8.contains($0) }
  }
}
