internal import FlowSystem

/// A line that is written and that no reader accepts.
package enum LineExcess: Error, Sendable, Hashable, CustomStringConvertible {
  /// It has so many bytes.
  case length(Int)
  /// Its values are nested too deep.
  case depth

  /// What is too much: a sentence without its end.
  package var description: String {
    switch self {
    case .length(let count):
      "a line of the transcript would have \(count) bytes, and the most are \(LineCursor.longest)"
    case .depth:
      "a line of the transcript would be nested more than \(JSONParser.depthLimit) deep"
    }
  }
}
