public import FlowCore

/// A mistake in a GraphQL document, with its place.
public struct GraphQLProblem: Error, Sendable, Hashable {
  /// The part of the document that it is about, in bytes of UTF-8.
  public let range: Range<Int>
  /// The mistake: lower case, no full stop.
  public let message: String

  init(_ range: Range<Int>, _ message: String) {
    (self.range, self.message) = (range, message)
  }

  /// Returns the same part in unicode scalars of the document.
  public func characters(in document: String) -> Range<Int> {
    let start = Self.count(document.utf8.prefix(range.lowerBound))
    return
      start..<(start + Self.count(document.utf8.dropFirst(range.lowerBound).prefix(range.count)))
  }

  /// Returns the line and the column at which the part of the document starts.
  public func position(in document: String) -> Position {
    let before = document.utf8.prefix(range.lowerBound)
    let line = before.split(separator: 0x0A, omittingEmptySubsequences: false).last ?? before
    return Position(line: before.count { $0 == 0x0A } + 1, column: Self.count(line) + 1)
  }

  // A byte that goes on with a character is 10xxxxxx.
  private static func count(_ bytes: some Sequence<UInt8>) -> Int {
    bytes.count { $0 & 0xC0 != 0x80 }
  }
}

/// Everything wrong with the file of a schema.
public struct GraphQLSchemaError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The mistakes as `file:line:column: message`, in file order, never empty.
  public let problems: [String]

  /// The mistakes, one a line.
  public var description: String { problems.joined(separator: "\n") }
}
