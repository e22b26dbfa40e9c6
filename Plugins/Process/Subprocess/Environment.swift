private import FlowProcess

/// The environment variables of a program, as bytes, since they may not be valid UTF-8.
public struct Environment: Sendable {
  /// The entries as `NAME=VALUE`, sorted by name, with unique names.
  public let entries: [[UInt8]]

  /// Creates an environment from the entries with a name, keeping the last of each name.
  public init(_ entries: [[UInt8]]) {
    var named: [[UInt8]: [UInt8]] = [:]
    for entry in entries { if let name = Self.name(of: entry) { named[Array(name)] = entry } }
    self.init(named)
  }

  private init(_ named: [[UInt8]: [UInt8]]) {
    entries = named.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
  }

  private static let sign = UInt8(ascii: "=")

  // Read once: sorting them costs as much as a twentieth of a short program.
  /// The variables of this process at its start, without the secrets of runs.
  ///
  /// A scenario passes secrets on itself if it wants to.
  public static let inherited = Environment(own).withoutSecrets

  private static var own: [[UInt8]] {
    var entries: [[UInt8]] = []
    var entry = unsafe flow_environment()
    while let text = unsafe entry?.pointee {
      let length = (0...).first { unsafe text[$0] == 0 } ?? 0
      unsafe entries.append(Array(UnsafeRawBufferPointer(start: text, count: length)))
      unsafe entry = unsafe entry?.successor()
    }
    return entries
  }

  /// The environment without the variables of secrets.
  public var withoutSecrets: Environment {
    Environment(entries.filter { !$0.starts(with: "FLOW_SECRET_".utf8) })
  }

  /// Returns the environment without some variables.
  public func without(_ names: Set<String>) -> Environment {
    // The case of most runs.
    if names.isEmpty { return self }
    let names = Set(names.map { Array($0.utf8) })
    return Environment(entries.filter { !names.contains(Array(Self.name(of: $0) ?? [])) })
  }

  /// Returns all variables as `NAME=VALUE`, sorted by name, after setting these and removing those
  /// with nil.
  ///
  /// - Throws: `EnvironmentError` for a name or a value that no variable can have.
  public func adding(_ changes: [String: String?]) throws(EnvironmentError) -> [[UInt8]] {
    if changes.isEmpty { return entries }
    var named: [[UInt8]: [UInt8]] = [:]
    for entry in entries { named[Array(Self.name(of: entry) ?? [])] = entry }
    for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
      guard !name.isEmpty, !name.utf8.contains(where: { $0 == 0 || $0 == Self.sign }) else {
        throw .name(name)
      }
      guard value?.utf8.contains(0) != true else {
        throw .value(of: name)
      }
      named[Array(name.utf8)] = value.map { Array("\(name)=\($0)".utf8) }
    }
    return Environment(named).entries
  }

  private static func name(of entry: [UInt8]) -> ArraySlice<UInt8>? {
    entry.firstIndex(of: sign).map { entry[..<$0] }
  }
}

/// A variable that no program can have.
public enum EnvironmentError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A name that is empty, or contains `=` or a zero byte.
  case name(String)
  /// A value with a zero byte, of the variable with this name.
  case value(of: String)

  /// The message, such as `'a=b' cannot be the name of a variable`.
  public var description: String {
    switch self {
    case .name(let name): "'\(name)' cannot be the name of a variable"
    case .value(let name): "the variable '\(name)' contains a zero byte"
    }
  }
}
