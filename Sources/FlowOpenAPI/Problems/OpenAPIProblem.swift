public import FlowSchema
public import FlowSystem

/// The problems of a description, in file order.
public struct OpenAPIError: Error, Sendable, CustomStringConvertible {
  /// The problems; never empty.
  public let problems: [OpenAPIProblem]

  package init(problems: [OpenAPIProblem]) { self.problems = problems }

  /// A line for each problem.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// A problem of a description.
public struct OpenAPIProblem: Sendable, Hashable, CustomStringConvertible {
  /// The file's path relative to the folder of the first file.
  public let file: String
  /// The place of the problem, nil for a file without positions.
  public let position: Position?
  /// The pointer to the place of the problem.
  public let pointer: JSONPointer
  /// The message: lower case, no full stop.
  public let message: String

  /// `openapi.yaml:12:7: '#/components/schemas/Ordr' ...`.
  public var description: String {
    let place = position.map { "\($0.line):\($0.column)" } ?? "#\(pointer)"
    return "\(file):\(place): \(message)"
  }
}
