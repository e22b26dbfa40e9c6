package import FlowCore
package import FlowPlan
internal import FlowSystem

/// The usable parts of an unusable transcript that is about to be replaced.
package struct SalvagedTranscript: Sendable {
  /// The calls and their patterns, or nil if a line is damaged.
  package let transcript: Transcript?
  /// True if no body of the recorded calls is missing.
  package let isWhole: Bool
  /// The inputs in the plan's order, recorded or default, or nil if they do not fit.
  package private(set) var inputs: [Value]?
  /// The seed of all random values, or 0 if the header is damaged.
  package let seed: UInt64
  /// The parts that cannot be kept, as one sentence each.
  package private(set) var losses: [String] = []

  /// Reads the usable parts of a file for a plan.
  package init(of file: String, for plan: Plan) {
    let bytes = (try? TranscriptReader.contents(file)) ?? []
    do throws(TranscriptError) {
      (transcript, isWhole) = try TranscriptReader.readLeniently(bytes, file: file)
    } catch {
      (transcript, isWhole) = (nil, false)
      losses = ["the matchers cannot be kept: \(error.diagnostic.message)"]
    }
    let header = TranscriptReader.header(of: bytes)
    seed = header?.seed ?? 0
    if let header {
      takeInputs(of: header, for: plan, file)
    } else {
      losses.append("the inputs and the seed cannot be kept: the first line is not a header")
    }
  }

  private mutating func takeInputs(of header: TranscriptHeader, for plan: Plan, _ file: String) {
    var (header, bodies) = (header, BlobReader(beside: file))
    var known: [JSON.Member] = []
    for input in header.inputs {
      do throws(BlobError) {
        let value = try input.value.resolvingBlobs { blob throws(BlobError) in
          try bodies.value(of: blob)
        }
        known.append(JSON.Member(input.name, value))
      } catch {
        losses.append("the input '\(input.name.escaped)' cannot be kept: \(error)")
      }
    }
    header.inputs = known
    do throws(TranscriptError) {
      inputs = try header.inputValues(for: plan, file: file)
    } catch {
      losses.append("\(error.diagnostic.message); their defaults are used")
    }
  }
}
