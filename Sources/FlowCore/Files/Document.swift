/// A YAML or JSON file as one value, with the positions of its parts, or a schema of GraphQL as one
/// text.
public struct Document: Sendable {
  /// The file's path as it was asked for.
  public let path: String
  /// The content: maps, lists and scalars.
  ///
  /// Numbers with a fraction are decimals.
  public let value: Value
  private let positions: @Sendable (FieldPath) -> Position?

  package init(
    path: String, value: Value, positions: @escaping @Sendable (FieldPath) -> Position?
  ) {
    self.path = path
    self.value = value
    self.positions = positions
  }

  /// The position of the value at a path, or of the nearest one around it.
  ///
  /// Nil for an unknown file.
  public func position(of path: FieldPath) -> Position? {
    positions(path)
  }

  /// Reads the whole document as a field value, such as a list of records.
  ///
  /// - Throws: `DocumentError` with the position of the first value that does not fit.
  public func decode<Content: FieldValue>(_ type: Content.Type) throws(DocumentError) -> Content {
    do {
      return try Content(decoding: try value.converted(to: Content.valueType))
    } catch {
      throw DocumentError(path: path, position: position(of: error.path), message: "\(error)")
    }
  }
}

/// A document without the expected form.
public struct DocumentError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file's path as it was asked for.
  public let path: String
  /// Where, when it is known.
  public let position: Position?
  /// The message: lower case, no full stop.
  public let message: String

  /// A problem in a document.
  public init(path: String, position: Position?, message: String) {
    self.path = path
    self.position = position
    self.message = message
  }

  /// `data/catalog.yaml:12:3: 'items[3].title': expected string, got 12`.
  public var description: String {
    let place = position.map { ":\($0.line):\($0.column)" } ?? ""
    return "\(path)\(place): \(message)"
  }
}
