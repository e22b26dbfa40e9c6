import AlbumPlugin
import BalancePlugin
import CatalogPlugin
import FlowCore
import FlowPlan
import FlowScenario
import FlowSystem
import Foundation
import ImagesPlugin
import TestKit
import Testing

@testable import FlowTranscript

/// A transcript without a seal that was damaged never crashes a replay, and never passes for another run.
///
/// What a transcript means is what is read from it; blanks, escapes and two spellings of one number are not
/// part of it. All of it has to fail when it differs but for what only the absent component can know: the
/// values of its answers, the wording of its errors, and events that no step waits for. Whether those are right
/// is a matter of the scenario's expectations, and `flow mutate` tells what nobody looks at. Of the header, the
/// digest and the plugins' versions are told and fail nothing. With a seal nothing passes: `SealedDamageTests`.
@Suite struct DamageTests {
  /// Every byte under stress, else every 53rd, a prime, so that no column is left out for long.
  private static let stride = Stress.count(53, full: 1)

  private let bytes: [UInt8]
  private let lines: [[UInt8]]
  private let plan: Plan
  private let original: Transcript

  init() throws {
    let file = "\(ScenarioFolder.path)/shop.yaml"
    bytes = Array(try ScenarioFolder.text("shop.transcript.jsonl").unsealed.utf8)
    lines = bytes.split(separator: 0x0A).map { $0 + [0x0A] }
    plan = try ScenarioLoader(
      registry: try Registry([Album.self, Balance.self, Catalog.self, Images.self])
    )
    .plan(ScenarioSource(reading: file))
    original = try TranscriptReader.read(bytes, file: "t")
  }

  @Test func `the transcript as it is passes`() async throws {
    #expect(await passes(bytes))
  }

  @Test func `no flipped byte passes unless it is in what was answered`() async throws {
    for offset in Swift.stride(from: 0, to: bytes.count, by: Self.stride) {
      for bit: UInt8 in [0x01, 0x20, 0x80] {
        var damaged = bytes
        damaged[offset] ^= bit
        try await check(damaged, "byte \(offset), bit \(bit)")
      }
    }
  }

  @Test func `no dropped line passes`() async throws {
    for index in lines.indices {
      try await check(joined(lines[..<index] + lines[(index + 1)...]), "without line \(index + 1)")
    }
  }

  @Test func `no doubled line passes`() async throws {
    for index in lines.indices {
      try await check(joined(lines[...index] + lines[index...]), "line \(index + 1) twice")
    }
  }

  @Test func `no two neighbours that are swapped pass`() async throws {
    for index in lines.indices.dropLast() {
      var damaged = lines
      damaged.swapAt(index, index + 1)
      try await check(joined(damaged[...]), "lines \(index + 1) and \(index + 2) swapped")
    }
  }

  @Test func `no two lines that are swapped pass`() async throws {
    var random = SeededGenerator(seed: 1, label: "damage")
    for _ in 0..<(Self.stride == 1 ? 10_000 : 300) {
      let (first, second) = (
        Int.random(in: lines.indices, using: &random), Int.random(in: lines.indices, using: &random)
      )
      var damaged = lines
      damaged.swapAt(first, second)
      try await check(joined(damaged[...]), "lines \(first + 1) and \(second + 1) swapped")
    }
  }

  @Test func `no transcript that was cut off passes`() async throws {
    for length in Swift.stride(from: 0, to: bytes.count, by: Self.stride) {
      #expect(await !passes(Array(bytes[..<length])), "cut after byte \(length)")
    }
    #expect(await !passes(Array(bytes.dropLast())), "without the last newline")
  }

  // MARK: - Steps of the tests

  private func joined(_ lines: some Sequence<[UInt8]>) -> [UInt8] { Array(lines.joined()) }

  /// Demands that a damaged transcript fails, unless it means what it did but for answers.
  private func check(_ damaged: [UInt8], _ what: String) async throws {
    guard await passes(damaged) else { return }
    let now = try TranscriptReader.read(damaged, file: "t")

    #expect(Meaning(now) == Meaning(original), "\(what) passes")
  }

  private func passes(_ bytes: [UInt8]) async -> Bool {
    guard let transcript = try? TranscriptReader.read(bytes, file: "t"),
      let inputs = try? transcript.header.inputValues(for: plan, file: "t")
    else { return false }
    return await Replay(transcript, of: plan).run(inputs: inputs).passed
  }
}

/// The content of a transcript that a replay can check without the components.
private struct Meaning: Equatable {
  struct Call: Equatable {
    let address: Address
    let name: String
    let input: JSON
    let answer: String
  }

  let inputs: [JSON.Member]
  let calls: [Call]
  let passed: Bool
  let outputs: JSON

  init(_ transcript: Transcript) {
    inputs = transcript.header.inputs
    passed = transcript.passed
    outputs = transcript.outputs.json
    calls = transcript.calls.map { call in
      let answer =
        switch call.answer {
        case .output?: "ok"
        case .error(let code, _)?: code
        case .cancelled?: "cancelled"
        case nil: ""
        }
      return Call(
        address: call.address, name: call.name, input: call.input.json,

        answer: answer)
    }
  }
}
