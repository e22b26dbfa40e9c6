package import FlowCore
internal import FlowSystem
internal import FlowYAML

/// The reviewed descriptions of a project's plugins, from its file `flow.lock`.
///
///     flow-lock: 1
///     plugins:
///       clock:
///         ...
package struct LockFile: Sendable {
  /// The name of the file, beside `flow.yaml`.
  package static let name = "flow.lock"
  /// The key of the version, and the version.
  package static let version = (key: "flow-lock", number: 1)
  /// The command that writes the file.
  package static let command = "flow plugin lock"
  private static let largest = 64 << 20

  /// The entries of the plugins, by name.
  package let entries: ValueMap

  /// Reads the file of a project's folder, or returns nil if it does not exist.
  ///
  /// - Throws: `LockFileError` for a file that cannot be read.
  package init?(inFolder folder: String) throws(LockFileError) {
    let path = Path.joined(folder, Self.name)
    guard FileSystem.isOccupied(path) else { return nil }
    let bytes: [UInt8]
    do { bytes = try FileSystem.contents(of: path, limit: Self.largest) } catch {
      throw LockFileError(message: "\(error)")
    }
    let root: Node
    do { root = try Node(parsing: bytes, as: .yaml) } catch {
      let place = error.mark.map { ":\($0.line):\($0.column)" } ?? ""
      throw LockFileError(message: "\(Path.shown(path))\(place): \(error.message)")
    }
    guard case .map(let content) = Value(root), content[Self.version.key] == .int(1) else {
      throw LockFileError(
        message: "'\(Path.shown(path))' does not start with '\(Self.version.key): 1'")
    }
    if case .map(let entries)? = content["plugins"] {
      self.entries = entries
    } else {
      entries = ValueMap()
    }
  }
}

/// A `flow.lock` that cannot be used, and the reason.
package struct LockFileError: Error, Sendable, Hashable {
  /// The reason, with the file.
  package let message: String
}

// MARK: - Writing

extension LockFile {
  private static let remark = "# Written by '\(command)'. Review every change before you commit it."

  /// Returns the text of a file with these entries, sorted by their names.
  package static func text(of entries: ValueMap) -> String {
    var yaml = YAMLText()
    let plugins = Value.map(entries).lockNode
    yaml.map([(version.key, .raw("\(version.number)")), ("plugins", plugins)])
    return "\(remark)\n" + yaml.text
  }
}

extension Value {
  /// The value with the keys of all maps in the order of their bytes, each in a separate line.
  fileprivate var lockNode: YAMLText.Node {
    switch self {
    case .string(let text): return .text(text)
    case .list(let elements): return .list(elements.map(\.lockNode))
    case .map(let map):
      let entries = map.entries.map { (key: $0.key.interpolated, value: $0.value.lockNode) }
      let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      return sorted.isEmpty ? .map([]) : .block(sorted)
    default: return .raw(json)
    }
  }
}
