public import FlowCore
internal import FlowYAML

/// A stretch of the scenario file, 16 bytes small: a plan keeps one for each of its parts.
public struct Place: Sendable, Hashable {
  private let startLine: Int32
  private let startColumn: Int32
  private let endLine: Int32
  private let endColumn: Int32

  init(_ span: Span) {
    startLine = Int32(clamping: span.start.line)
    startColumn = Int32(clamping: span.start.column)
    endLine = Int32(clamping: span.end.line)
    endColumn = Int32(clamping: span.end.column)
  }

  /// The stretch in a file.
  public func span(in file: String) -> SourceSpan {
    SourceSpan(
      file: file, start: Position(line: Int(startLine), column: Int(startColumn)),
      end: Position(line: Int(endLine), column: Int(endColumn)))
  }
}
