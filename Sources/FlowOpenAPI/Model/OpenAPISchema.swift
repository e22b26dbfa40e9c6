public import FlowCore
public import FlowSchema
internal import FlowSystem
private import Synchronization

/// A schema of a description, compiled when it is first used.
public struct OpenAPISchema: Sendable {
  /// The way of a message.
  public enum Direction: Sendable, Hashable {
    /// From the caller to the service: `readOnly` properties are not required.
    case request
    /// From the service to the caller: `writeOnly` properties are not required, nor allowed.
    case response

    var excused: String { self == .request ? "readOnly" : "writeOnly" }
    /// A request may have `readOnly` properties: whoever changes a resource sends all of it.
    var withheld: String? { self == .request ? nil : "writeOnly" }
  }

  /// The file and the pointer to the schema: `openapi.yaml#/components/schemas/Order`.
  public var location: String { place.reference }
  let place: OpenAPIPlace
  let store: SchemaStore

  /// The type of its values, `.dynamic` for a schema that cannot be compiled.
  public func type(in direction: Direction) -> ValueType {
    (try? schema(in: direction).valueType) ?? .dynamic
  }

  /// Returns the compiled schema.
  ///
  /// - Throws: `SchemaError` with every problem of the schema.
  public func schema(in direction: Direction) throws(SchemaError) -> Schema {
    try store.schema(place.reference, direction)
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
    var files: [String: OpenAPIFile] = [:]
    var compiled: [Key: Result<Schema, SchemaError>] = [:]
  }

  private let state = Mutex(State())

  /// Sets what all schemas share, once all files are read.
  func fill(
    _ documents: SchemaDocuments, _ files: [String: OpenAPIFile], _ dialect: Dialect
  ) {
    var options = SchemaOptions()
    options.dialect = dialect
    options.assertsFormat = true
    options.skipsUnsupportedPatterns = true
    state.withLock {
      $0.documents = documents
      $0.options = options
      $0.files = files
    }
  }

  func schema(
    _ location: String, _ direction: OpenAPISchema.Direction
  ) throws(SchemaError) -> Schema {
    let key = Key(location: location, direction: direction)
    let (known, documents, options) = state.withLock {
      ($0.compiled[key], $0.documents, $0.options)
    }
    if let known { return try known.get() }
    // Outside of the lock, because a large schema takes a while.
    var wanted = options
    (wanted.excused, wanted.withheld) = (direction.excused, direction.withheld)
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

  /// True if nothing beside `$ref` counts.
  var ignoresSiblings: Bool { state.withLock { $0.options.dialect?.ignoresSiblings ?? false } }

  /// A file that was read, or nil.
  func file(_ uri: String) -> OpenAPIFile? { state.withLock { $0.files[uri] } }

  /// The value at a place, or nil.
  func value(at place: OpenAPIPlace) -> Value? {
    let value = state.withLock { $0.files[place.uri]?.value }
    return JSONPointer.tokens(of: place.pointer.description)?.reduce(value) { $0?.part($1) }
  }

  /// The target of a reference with a pointer, or nil.
  func target(of text: String, from uri: String) -> (uri: String, value: Value)? {
    let target = URIReference(text).resolved(against: URIReference(uri))
    guard let fragment = (target.fragment ?? "").percentDecoded,
      let tokens = JSONPointer.tokens(of: fragment)
    else { return nil }
    let file = target.withoutFragment.text
    let value = state.withLock { $0.files[file]?.value }
    return tokens.reduce(value) { $0?.part($1) }.map { (file, $0) }
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

extension OpenAPIOperation {
  /// Returns the faults of the operation itself, and those of the schemas of its requests or answers,
  /// which are compiled: nothing can be said of a call with them.
  public func faults(requests: Bool = true, answers: Bool = true) -> [String] {
    let requested =
      parameters.compactMap(\.schema) + (body?.contents.compactMap(\.schema) ?? [])
    let answered = responses.flatMap { response in
      response.headers.compactMap(\.schema) + (response.contents?.compactMap(\.schema) ?? [])
    }
    let found =
      (requests ? requested.map { $0.problems(in: .request) } : [])
      + (answers ? answered.map { $0.problems(in: .response) } : [])
    let own = partFaults.filter { answerFaults.contains($0) ? answers : requests }
    return (own.map(\.description) + found.flatMap(\.self)).unique
  }
}

extension OpenAPISchema {
  fileprivate func problems(in direction: Direction) -> [String] {
    do throws(SchemaError) {
      _ = try schema(in: direction)
      return []
    } catch {
      return error.problems.map { "\(store.rule($0.location)): \($0.message)" }
    }
  }
}
