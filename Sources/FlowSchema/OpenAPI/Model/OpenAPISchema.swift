public import FlowCore
internal import FlowSystem
private import Synchronization

/// A schema of a description, compiled when it is first used.
public struct OpenAPISchema: Sendable {
  /// The way of a message.
  public enum Direction: Sendable, Hashable {
    /// From the caller to the service: `readOnly` properties are not required.
    case request
    /// From the service to the caller: `writeOnly` properties are not required.
    case response

    var excused: String { self == .request ? "readOnly" : "writeOnly" }
  }

  /// The file and the pointer to the schema: `openapi.yaml#/components/schemas/Order`.
  public let location: String
  let store: SchemaStore

  /// The type of its values, `.dynamic` for a schema that cannot be compiled.
  public func type(in direction: Direction) -> ValueType {
    (try? schema(in: direction).valueType) ?? .dynamic
  }

  /// Returns the compiled schema.
  ///
  /// - Throws: `SchemaError` with every problem of the schema.
  public func schema(in direction: Direction) throws(SchemaError) -> Schema {
    try store.schema(location, direction)
  }
}

/// The documents of a description, and its compiled schemas.
final class SchemaStore: Sendable {
  private struct Key: Hashable {
    let location: String
    let direction: OpenAPISchema.Direction
  }

  private struct State {
    var documents = SchemaDocuments()
    var options = SchemaOptions()
    var files: [String: OpenAPIFiles.File] = [:]
    var compiled: [Key: Result<Schema, SchemaError>] = [:]
  }

  private let state = Mutex(State())

  /// Sets what all schemas share, once all files are read.
  func fill(_ files: OpenAPIFiles, _ dialect: Dialect) {
    var options = SchemaOptions()
    options.dialect = dialect
    options.assertsFormat = true
    let documents = files.schemaDocuments
    state.withLock {
      $0.documents = documents
      $0.options = options
      $0.files = files.files
    }
  }

  func schema(
    _ location: String, _ direction: OpenAPISchema.Direction
  ) throws(SchemaError) -> Schema {
    let key = Key(location: location, direction: direction)
    let (known, documents, options) = state.withLock { ($0.compiled[key], $0.documents, $0.options) }
    if let known { return try known.get() }
    // Outside of the lock, because a large schema takes a while.
    var wanted = options
    wanted.excused = direction.excused
    let result = Self.compiled(location, documents, wanted)
    state.withLock { $0.compiled[key] = result }
    return try result.get()
  }

  private static func compiled(
    _ location: String, _ documents: SchemaDocuments, _ options: SchemaOptions
  ) -> Result<Schema, SchemaError> {
    do throws(SchemaError) {
      return .success(try Schema(location, in: documents, options: options))
    } catch {
      return .failure(error)
    }
  }

  /// A keyword's place for a message: the file, the pointer, and the line if it is known.
  func rule(_ uri: String, _ pointer: String) -> String {
    guard let file = state.withLock({ $0.files[uri] }) else { return uri + "#" + pointer }
    let name = file.path + "#" + pointer
    guard let position = file.position(of: pointer) else { return name }
    return name + " (\(file.path):\(position.line))"
  }

  /// The same for the location of a violation.
  func rule(_ location: String) -> String {
    guard let sign = location.utf8.firstIndex(of: UInt8(ascii: "#")) else { return location }
    return rule(String(location[..<sign]), String(location[sign...].dropFirst()))
  }
}
