/// The properties of a component that follow from its settings, such as those of an API that a preset
/// describes.
///
/// A plugin returns them in `Plugin.characterized`.
public struct ComponentTraits: Sendable {
  /// A place in an input or an answer, as `varies` and `volatile` have it: `json.items[*].id`.
  public struct Place: Sendable, Hashable {
    /// The path.
    public let path: String
    /// The file, line and column that have it, for messages: `presets.yaml:12:9`.
    public let source: String

    /// Creates a place.
    public init(_ path: String, from source: String) {
      (self.path, self.source) = (path, source)
    }
  }

  /// The parts that differ from run to run in the calls of one operation that other components make.
  public struct Varying: Sendable, Hashable {
    /// The places in the input with any value, equal where the recorded ones are equal.
    public var same: [Place] = []
    /// The places in the input with any value.
    public var any: [Place] = []

    /// Nothing that varies.
    public init() {}
  }

  /// Names of headers of requests that are passed on, and neither recorded nor compared.
  public struct UnrecordedHeaders: Sendable, Hashable {
    /// The servers whose requests have them, in lower case, or nil for all.
    public let hosts: [String]?
    /// The names in lower case, of which a `*` at the end stands for any rest.
    public let names: [String]

    /// Creates the names for some servers, or for all.
    public init(_ names: [String], of hosts: [String]? = nil) {
      (self.names, self.hosts) = (names.map { $0.lowercased() }, hosts?.map { $0.lowercased() })
    }

    /// Returns true for a header of a request to a server that is one of them.
    public func contain(_ name: String, of host: String?) -> Bool {
      if let hosts, !hosts.contains(host?.lowercased() ?? "") { return false }
      let name = name.lowercased()
      return names.contains {
        $0.last == "*" ? name.hasPrefix($0.dropLast()) : name == $0
      }
    }
  }

  /// The values of settings that the scenario leaves out, by their names.
  public var settings: [String: Value] = [:]
  /// The environment variables by which a program finds the address of the component.
  ///
  /// `{url}` in a value stands for the address, which has no slash at its end.
  public var environment: [String: String] = [:]
  /// The headers of requests that are passed on, and neither recorded nor compared.
  public var unrecorded: [UnrecordedHeaders] = []
  /// The parts of inputs that differ from run to run, by the operation's name.
  public var varying: [String: Varying] = [:]
  /// The parts of answers that differ from run to run, by the operation's name.
  public var volatile: [String: [Place]] = [:]
  /// The lists with named elements, by the operation's name.
  public var lists: [String: [NamedList]] = [:]
  /// The types of answers with further fields that are made of the others, by the operation's name.
  ///
  /// The fields that are recorded are those of the operation's own type, in the same order.
  public var outputs: [String: RecordType] = [:]
  /// Returns a meter of the component's calls, or nil for the sums of fields with a `quantity`.
  public var meter: (@Sendable () -> any CallMeter)?
  /// The messages of its calls as bytes, for a component that answers another program in its place,
  /// or nil if they have no such form.
  public var messages: (any MessageCoding)?

  /// No properties of its own.
  public init() {}
}

/// The files for the properties of components.
public struct TraitSources {
  /// The document that is a part of flow, for all plugins.
  public let own: () throws -> Document
  /// Reads a YAML or JSON file by its path from the scenario's folder.
  ///
  /// Throws `FileError` or `DocumentError`.
  public let file: (String) throws -> Document

  package init(
    own: @escaping () throws -> Document, file: @escaping (String) throws -> Document
  ) {
    (self.own, self.file) = (own, file)
  }
}
