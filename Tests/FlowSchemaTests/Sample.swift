import FlowCore
import FlowSchema

/// Reads JSON of a test.
func json(_ text: String) throws -> Value { try Value(json: Array(text.utf8)) }

extension Schema {
  /// Compiles a schema of a test, with other documents by their URIs.
  init(
    text: String, uri: String = "", _ documents: [String: String] = [:],
    options: SchemaOptions = SchemaOptions()
  ) throws {
    var given = SchemaDocuments()
    for (uri, text) in documents { given[uri] = try json(text) }
    try self.init(try json(text), uri: uri, in: given, options: options)
  }

  /// The violations of a value as text.
  func report(_ text: String) throws -> String { try validate(try json(text)).description }
}

extension SchemaOptions {
  /// Options that differ from the defaults.
  init(_ change: (inout SchemaOptions) -> Void) {
    self.init()
    change(&self)
  }
}

/// The text of the error of a schema, or `no error`.
func problem(of text: String, _ documents: [String: String] = [:]) throws -> String {
  do {
    _ = try Schema(text: text, documents)
    return "no error"
  } catch let error as SchemaError {
    return error.description
  }
}
