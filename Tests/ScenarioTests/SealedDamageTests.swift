import FlowCore
import FlowTranscript
import Testing

/// A recorded transcript that was damaged after it was recorded is refused.
///
/// Every line and every 37th byte are tried; with `FLOW_DAMAGE=all` in the environment every byte.
@Suite struct SealedDamageTests {
  private let bytes: [UInt8]
  private let lines: [ArraySlice<UInt8>]

  init() throws {
    bytes = Array(try ScenarioFolder.text("shop.transcript.jsonl").utf8)
    lines = bytes.split(separator: 0x0A)
  }

  private var step: Int { FileSystem.environmentVariable("FLOW_DAMAGE") == "all" ? 1 : 37 }

  private func isRefused(_ changed: some Sequence<UInt8>) -> Bool {
    (try? TranscriptReader.read(Array(changed), file: "shop.transcript.jsonl")) == nil
  }

  private func text(_ lines: some Sequence<ArraySlice<UInt8>>) -> [UInt8] {
    lines.flatMap { Array($0) + [0x0A] }
  }

  @Test func `the transcript itself is read`() {
    #expect(!isRefused(bytes))
    #expect(text(lines) == bytes)
  }

  @Test func `no changed byte passes`() {
    for index in stride(from: 0, to: bytes.count, by: step) {
      var changed = bytes
      changed[index] ^= UInt8(1 << (index % 8))
      #expect(isRefused(changed), "byte \(index)")
    }
  }

  @Test func `no cut passes`() {
    for length in stride(from: 0, to: bytes.count, by: step) {
      #expect(isRefused(bytes[..<length]), "\(length) bytes")
    }
    #expect(isRefused(bytes.dropLast()))
  }

  @Test func `no dropped, doubled or exchanged line passes`() {
    for index in lines.indices {
      var dropped = lines
      dropped.remove(at: index)
      #expect(isRefused(text(dropped)), "without line \(index + 1)")
      var doubled = lines
      doubled.insert(lines[index], at: index)
      #expect(isRefused(text(doubled)), "line \(index + 1) twice")
      for other in [index + 1, (index * 31 + 7) % lines.count] where other < lines.count {
        guard lines[other] != lines[index] else { continue }
        var swapped = lines
        swapped.swapAt(index, other)
        #expect(isRefused(text(swapped)), "lines \(index + 1) and \(other + 1) exchanged")
      }
    }
  }
}
