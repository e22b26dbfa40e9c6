public import FlowCore
internal import FlowSystem

/// A description of an HTTP service: OpenAPI 3.0 or 3.1.
///
///     let description = try OpenAPIDescription("openapi.yaml", reading: context.document)
///     let match = description.match(method: "GET", path: [.text("orders"), .unknown])
public struct OpenAPIDescription: Sendable {
  /// The file's path as it was asked for.
  public let file: String
  /// The title of the service.
  public let title: String
  /// The operations in file order.
  public let operations: [OpenAPIOperation]
  /// Mistakes that leave the rest usable, and keywords that nothing checks, because OpenAPI has no such
  /// keyword: at most 100, in file order.
  ///
  /// Names that begin with `x-` are not among them.
  public let warnings: [OpenAPIProblem]
  /// Those of the warnings because of which paths or operations cannot be used.
  package let faults: [OpenAPIProblem]

  /// Reads a file and every file that it refers to.
  ///
  /// `read` returns a file's document by its path relative to the first file's folder. Nothing else
  /// is read, and nothing is fetched.
  ///
  /// - Throws: the error of `read` for the first file, or `OpenAPIError` with every problem.
  public init(_ file: String, reading read: @escaping (String) throws -> Document) throws {
    var reader = OpenAPIReader(OpenAPIFiles(try read(file), at: file, reading: read))
    reader.readDescription()
    let content = try reader.finish()
    self.file = file
    title = content.title
    operations = content.operations
    warnings = content.warnings
    faults = content.faults
  }

  /// Returns the operation with an `operationId`.
  public func operation(named id: String) -> OpenAPIOperation? {
    operations.first { $0.id?.isIdentical(to: id) == true }
  }
}
