internal import FlowCore
internal import FlowSystem

/// A parameter of a tool, from which its schema and the check of a call follow.
struct ToolParameter: Sendable {
  enum Kind: Sendable {
    /// A path below the working folder.
    case path
    case paths
    case text
    case texts
    case flag
    case number
    /// Values by name.
    case values
    case choice([String])
  }

  let name: String
  let kind: Kind
  let summary: String
  var isRequired = false

  init(_ name: String, _ kind: Kind, _ summary: String, isRequired: Bool = false) {
    (self.name, self.kind, self.summary) = (name, kind, summary)
    self.isRequired = isRequired
  }

  /// The parameter in the schema of the tool.
  var schema: JSON.Member {
    .init(name, .object(kind.schema + [.init("description", .string(summary))]))
  }
}

extension ToolParameter.Kind {
  fileprivate var schema: [JSON.Member] {
    let list = { (type: String) in
      [
        JSON.Member("type", .string("array")),
        .init("items", .object([.init("type", .string(type))])),
      ]
    }
    return switch self {
    case .path, .text: [.init("type", .string("string"))]
    case .paths, .texts: list("string")
    case .flag: [.init("type", .string("boolean"))]
    case .number: [.init("type", .string("number"))]
    case .values: [.init("type", .string("object"))]
    case .choice(let words): [.init("enum", .array(words.map(JSON.string)))]
    }
  }

  /// Returns the texts of a value for the command line, or nil for a value of another type.
  fileprivate func texts(of json: JSON) -> [String]? {
    switch (self, json) {
    case (.path, .string(let text)), (.text, .string(let text)): [text]
    case (.paths, .array(let items)), (.texts, .array(let items)):
      items.allSatisfy { $0.string != nil } ? items.compactMap(\.string) : nil
    case (.flag, .bool(let isSet)): isSet ? ["true"] : []
    case (.number, .number(let text)): [text]
    case (.values, .object(let members)):
      members.map { "\($0.name)=\($0.value.string ?? $0.value.text)" }
    case (.choice(let words), .string(let text)): words.contains(text) ? [text] : nil
    default: nil
    }
  }

  fileprivate var isPath: Bool {
    switch self {
    case .path, .paths: true
    default: false
    }
  }
}

/// A call that the tool refuses.
struct ToolError: Error {
  let message: String
}

/// The arguments of a call, as texts of a command line.
struct ToolArguments {
  private var texts: [String: [String]] = [:]

  /// Reads the arguments of a call.
  ///
  /// - Throws: `ToolError` for an unknown or missing one, another type, and a path outside of the
  ///   working folder.
  init(_ json: JSON, _ parameters: [ToolParameter], below folder: String) throws(ToolError) {
    guard case .object(let members) = json else { throw ToolError(message: "not an object") }
    for member in members {
      guard let parameter = parameters.first(where: { $0.name == member.name }) else {
        let known = parameters.map(\.name)
        throw ToolError(
          message: "unknown argument '\(member.name.onOneLine)'"
            + Suggestion.ending(for: member.name, among: known))
      }
      guard let values = parameter.kind.texts(of: member.value) else {
        throw ToolError(message: "'\(member.name)' has another type: \(parameter.summary)")
      }
      texts[member.name] = try parameter.kind.isPath ? Self.paths(values, below: folder) : values
    }
    for parameter in parameters where texts[parameter.name] == nil {
      if parameter.isRequired { throw ToolError(message: "'\(parameter.name)' is missing") }
      // A command without paths takes those of the working folder.
      if case .paths = parameter.kind, folder != "." { texts[parameter.name] = [folder] }
    }
  }

  subscript(name: String) -> [String] { texts[name] ?? [] }

  func has(_ name: String) -> Bool { !self[name].isEmpty }

  /// Returns an option for each text of a parameter: `["--filter", "shop"]`.
  func options(_ name: String) -> [String] { self[name].flatMap { ["--\(name)", $0] } }

  /// Returns the paths in a folder, none of which looks like an option.
  private static func paths(
    _ paths: [String], below folder: String
  ) throws(ToolError) -> [String] {
    guard let here = FileSystem.realPath(folder) else {
      throw ToolError(message: "the working folder no longer exists")
    }
    for path in paths {
      let isBelow =
        !path.isEmpty && !path.hasPrefix("/") && !path.split(separator: "/").contains("..")
        && path != StandardInput.operand && !path.utf8.contains(0)
      let real = FileSystem.realPath(Path.joined(folder, path))
      guard isBelow, real.map({ Path.inside($0, of: here) != nil }) ?? true else {
        throw ToolError(message: "'\(path.onOneLine)' is not a path below the working folder")
      }
    }
    return paths.map { Path.joined(folder, $0.hasPrefix("-") ? "./" + $0 : $0) }
  }
}
