import FlowSystem
import TestKit
import Testing

@testable import FlowTranscript

/// A recorded transcript that was damaged after it was recorded is refused.
///
/// Every line and every byte are damaged. The whole reader sees every 37th byte of them, and with `FLOW_DAMAGE=all`
/// in the environment every one.
@Suite struct SealedDamageTests {
  private let bytes: [UInt8]
  private let lines: [ArraySlice<UInt8>]

  init() throws {
    bytes = Array(try ScenarioFolder.text("shop.transcript.jsonl").utf8)
    lines = bytes.split(separator: 0x0A)
  }

  private var step: Int { FileSystem.environmentVariable("FLOW_DAMAGE") == "all" ? 1 : 37 }

  private var lastLine: Range<Int> { lines[lines.count - 1].indices }

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

  @Test func `every changed byte breaks the seal`() {
    // To read them all as well takes minutes; a reader refuses whatever has a broken seal, see below.
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= UInt8(1 << (index % 8))
      #expect(!Seal.holds(of: changed), "byte \(index)")
    }
  }

  @Test func `no changed byte passes`() {
    // The last line is the seal's own, and is damaged wherever it can be.
    for index in Array(stride(from: 0, to: bytes.count, by: step)) + Array(lastLine) {
      for bit in 0..<(lastLine.contains(index) ? 8 : 1) {
        var changed = bytes
        changed[index] ^= UInt8(1 << ((index + bit) % 8))
        #expect(isRefused(changed), "byte \(index), bit \((index + bit) % 8)")
      }
    }
  }

  @Test func `no cut passes`() {
    // What is cut off within a line loses that line, so the cuts of one line are much alike.
    let ends = lines.flatMap { [$0.startIndex, $0.startIndex + 1, $0.endIndex - 1, $0.endIndex] }
    for length in Array(stride(from: 0, to: bytes.count, by: step)) + ends + Array(lastLine) {
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
