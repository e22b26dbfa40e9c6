import FlowCore
import Foundation
import FuzzTargets
import Testing

/// A short run of what `Scripts/fuzz` does at length: nothing crashes, nothing hangs.
@Suite(.timeLimit(.minutes(5))) struct FuzzTests {
  @Test(arguments: FuzzTarget.allCases)
  func `mutations of real files do no harm`(_ target: FuzzTarget) throws {
    var random = SeededGenerator(seed: 1, label: target.rawValue)
    let seeds = try Self.seeds(for: target)

    for _ in 0..<400 {
      guard var bytes = seeds.randomElement(using: &random) else { return }
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        Self.mutate(&bytes, with: seeds, using: &random)
      }
      target.feed(bytes)
    }
  }

  @Test(arguments: FuzzTarget.allCases)
  func `inputs that once did harm do none`(_ target: FuzzTarget) throws {
    for name in try Self.files(in: "Tests/FuzzTests/Found/\(target.rawValue)") {
      target.feed(Array(try Data(contentsOf: URL(fileURLWithPath: name))))
    }
  }

  // MARK: - Inputs

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  private static func files(in folder: String) throws -> [String] {
    let full = root + "/" + folder
    guard FileManager.default.fileExists(atPath: full) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: full).sorted()
      .map { full + "/" + $0 }
  }

  private static func seeds(for target: FuzzTarget) throws -> [[UInt8]] {
    let scenarios = try (files(in: "Scenarios") + files(in: "Scenarios/rejected"))
      .filter { $0.hasSuffix(".yaml") }.map {
        Array(try Data(contentsOf: URL(fileURLWithPath: $0)))
      }
    switch target {
    case .yaml, .scenario: return scenarios
    case .expression: return expressions.map { Array($0.utf8) }
    case .transcript:
      let file = URL(fileURLWithPath: root + "/Scenarios/shop.transcript.jsonl")
      return [Array(try Data(contentsOf: file).prefix(4096))]
    }
  }

  private static let expressions = [
    "n + 1 == 4 && s.startsWith('h')", "l.map(x, [x, n]).flatten().size() > 2",
    "d * 2 - 12.50 >= 0", "{'a': 1, 'b': [2, 3]}.b[1]", "s.matches('^h.*o$') ? 1u : 2u",
    "timestamp('2026-01-01T00:00:00Z') + duration('1h')", "l.exists(x, type(x) == string)",
    "optional.of(n).orValue(2) in [1, 2, 3]", "cel.bind(x, n * n, x + x)", "'%d %s'.format([n, s])",
  ]

  private static func mutate(
    _ bytes: inout [UInt8], with seeds: [[UInt8]], using random: inout SeededGenerator
  ) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
    case 1: bytes.removeSubrange(place..<min(bytes.count, place + 7))
    case 2: bytes = Array(bytes[..<place])
    case 3: bytes.insert(contentsOf: bytes[max(0, place - 12)..<place], at: place)
    default:
      let other = seeds.randomElement(using: &random) ?? []
      bytes = Array(bytes[..<place] + other.suffix(other.count / 2))
    }
  }
}
