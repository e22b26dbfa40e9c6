import FlowImport
import Testing

/// Valid files, cut, torn and mixed at random places.
@Suite struct MutilatedImportTests {
  @Test(
    arguments: CurlImportTests.samples + CurlDetailTests.samples + HARImportTests.samples
      + HurlImportTests.samples + HurlAssertsTests.samples + HurlDetailTests.samples
      + PostmanImportTests.samples + EditorFileTests.samples + BrunoFolderTests.samples)
  func `a torn file is a scenario that can be checked, or an error with its place`(
    _ sample: ImportCase
  ) async throws {
    // The same ones in every run.
    var random = SplitMix(state: UInt64(sample.text.utf8.count))
    let bytes = Array(sample.text.utf8)
    for _ in 0..<60 {
      let torn = Self.torn(bytes, &random)
      do throws(ImportError) {
        let result = try Import(reading: torn, named: sample.name)
        let problems = try? await CheckedScenario(result.scenario).errors
        // Where the file names a server that is none, the check reports the setting.
        let isAddress = ["'base': ", "'proxy': "].contains {
          problems?.contains("settings: \($0)") == true
        }
        #expect(
          problems == "" || isAddress,
          "\(String(decoding: torn, as: UTF8.self))\n\(result.scenario)")
      } catch {
        #expect(error.line >= 1 && error.column >= 1 && !error.message.isEmpty)
      }
    }
  }

  /// The bytes with one to three of them cut out, doubled, swapped with others, or replaced by a sign that matters.
  private static func torn(_ bytes: [UInt8], _ random: inout SplitMix) -> [UInt8] {
    let signs = Array("'\"`{}[]()<>$%&#@!\\/:;,=.-_*?|~ \n\t\u{0}é\u{2028}0aZ".utf8)
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard !bytes.isEmpty else { return bytes }
      let start = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, start + Int.random(in: 1...20, using: &random))
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes.removeSubrange(start..<end)
      case 1:
        bytes.insert(
          contentsOf: bytes[start..<end], at: bytes.indices.randomElement(using: &random) ?? 0)
      case 2: bytes[start] = signs.randomElement(using: &random) ?? 0
      default: bytes.insert(signs.randomElement(using: &random) ?? 0, at: start)
      }
    }
    return bytes
  }

  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
      return value ^ value >> 31
    }
  }
}
