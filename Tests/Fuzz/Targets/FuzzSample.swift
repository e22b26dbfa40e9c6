import BalancePlugin
import CatalogPlugin
import FlowCore
import FlowPlan
import FlowScenario
import FlowSystem
import FlowTranscript
import ImagesPlugin

/// A scenario of the project and its own transcript.
struct FuzzSample: Sendable {
  let plan: Plan
  let transcript: Transcript

  /// The folder of seeds, where the bodies that they name are as well.
  static let folder = root + "/Tests/Fuzz/Seeds"

  /// The samples by the scenarios' names in transcripts.
  static let all: [String: FuzzSample] = {
    var samples: [String: FuzzSample] = [:]
    let names = ["shop.yaml", "branches.yaml", "trips.yaml", "patience.yaml"]
    for path in names.map({ root + "/Scenarios/" + $0 }) + [folder + "/secret.yaml"] {
      let sample = FuzzSample(path)
      // A sample that cannot be read would leave nothing to fuzz, and nobody would see it.
      precondition(sample != nil, "'\(path)' has no transcript that can be read")
      samples[String(path.split(separator: "/").last ?? "")] = sample
    }
    return samples
  }()

  private static let root: String = {
    var path = #filePath
    for _ in 0..<4 { path = Path.folder(of: path) }
    return path
  }()

  private init?(_ path: String) {
    guard let registry = try? Registry([Balance.self, Catalog.self, Images.self]),
      let source = try? ScenarioSource(reading: path),
      let plan = try? ScenarioLoader(registry: registry).plan(source),
      let transcript = try? TranscriptReader.read(Path.transcript(of: path))
    else { return nil }
    self.plan = plan
    self.transcript = transcript
  }
}
