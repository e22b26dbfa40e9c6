internal import FlowCore
internal import FlowSystem

/// An excess in a run that makes its transcript unreadable.
package struct RecordingExcess: Error, Sendable, Hashable, CustomStringConvertible {
  private enum Kind: Hashable {
    case line(JSONWriter.Excess)
    case lines
    case body(Int)
    case bodies
  }

  private let kind: Kind
  /// The address of the call, or nil for the run as a whole.
  private let address: String?

  /// Creates the excess of a line.
  init(_ line: JSONWriter.Excess, at address: Address?) {
    (kind, self.address) = (.line(line), address?.description)
  }

  /// Creates the excess of all lines, which is reached at an address.
  init(ofLinesAt address: Address?) { self.init(.lines, address?.description) }

  private init(_ kind: Kind, _ address: String?) { (self.kind, self.address) = (kind, address) }

  /// The total size of the bodies named in a transcript.
  struct BodyCount {
    private var size = 0

    /// Counts the bodies named in a line, and returns them.
    ///
    /// - Throws: `RecordingExcess` for a body that is too large, by itself or with the others.
    mutating func counted(
      _ bodies: [(blob: Blob, content: [UInt8])], of address: @autoclosure () -> Address?
    ) throws(RecordingExcess) -> [(blob: Blob, content: [UInt8])] {
      for (blob, _) in bodies {
        if blob.size > Blob.largest {
          throw RecordingExcess(.body(blob.size), address()?.description)
        }
        size += blob.size
        if size > Blob.budget { throw RecordingExcess(.bodies, address()?.description) }
      }
      return bodies
    }
  }

  /// The step, its problem and the remedy, as a sentence without its end.
  package var description: String {
    let place = address.map { "of '\($0.escaped)'" } ?? "of the run"
    return switch kind {
    case .line(.length(let count, let most)):
      "a line \(place) would have \(count) bytes, more than the limit of \(most); make the input and the "
        + "answer of the step smaller, for example with 'max_bytes', or shorten the names of members"
    case .line(.depth):
      "a line \(place) would be nested more than \(JSONParser.depthLimit) levels deep"
    case .lines:
      "with the line \(place) all lines would have more than \(TranscriptLine.mostBytes >> 20) MiB, "
        + "the limit; record fewer steps, or split the scenario"
    case .body(let count):
      "a body \(place) would have \(count) bytes, and the most are \(Blob.largest); make the "
        + "input and the answer of the step smaller, for example with 'max_bytes'"
    case .bodies:
      "the bodies would have more than \(Blob.budget) bytes, which are the most, with that "
        + "\(place); make the inputs and answers of the steps smaller, or split the scenario"
    }
  }
}
