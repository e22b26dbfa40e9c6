import FlowCore
import Testing

@testable import ImagesPlugin

@Suite struct PictureHeaderTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let bytes: [UInt8]
    let expected: String

    var testDescription: String { id }
  }

  static let pictures = [
    Case(id: "PNG", bytes: PictureBytes.png(width: 300, height: 2), expected: "png 300 × 2"),
    Case(
      id: "the greatest PNG", bytes: PictureBytes.png(width: 0x7FFF_FFFF, height: 1),
      expected: "png 2147483647 × 1"),
    Case(id: "GIF 87a", bytes: PictureBytes.gif("GIF87a"), expected: "gif 513 × 2"),
    Case(id: "GIF 89a", bytes: PictureBytes.gif("GIF89a"), expected: "gif 513 × 2"),
    Case(
      id: "JPEG, baseline", bytes: PictureBytes.jpeg(PictureBytes.frame(0xC0)),
      expected: "jpeg 3 × 258"),
    Case(
      id: "JPEG, progressive", bytes: PictureBytes.jpeg(PictureBytes.frame(0xC2)),
      expected: "jpeg 3 × 258"),
    Case(
      id: "JPEG, lossless", bytes: PictureBytes.jpeg(PictureBytes.frame(0xCF)),
      expected: "jpeg 3 × 258"),
    Case(
      id: "JPEG behind a Huffman table, an arithmetic table and a JPG segment",
      bytes: PictureBytes.jpeg(
        [0xFF, 0xC4, 0, 3, 9, 0xFF, 0xCC, 0, 2, 0xFF, 0xC8, 0, 2] + PictureBytes.frame(0xC1)),
      expected: "jpeg 3 × 258"),
    Case(
      id: "JPEG behind fill bytes and markers that stand alone",
      bytes: PictureBytes.jpeg(
        [0xFF, 0xFF, 0x01, 0xFF, 0xD0, 0xFF, 0xD7, 0xFF] + PictureBytes.frame(0xC0)),
      expected: "jpeg 3 × 258"),
    Case(
      id: "JPEG behind a segment that holds a frame",
      bytes: PictureBytes.jpeg(
        [0xFF, 0xE1, 0, 8, 0xFF, 0xC0, 0, 0, 0, 0] + PictureBytes.frame(0xC0)),
      expected: "jpeg 3 × 258"),
    Case(
      id: "WebP, lossy, with scales", bytes: PictureBytes.webp("VP8 ", 10, PictureBytes.lossy),
      expected: "webp 513 × 2"),
    Case(
      id: "WebP, lossless", bytes: PictureBytes.webp("VP8L", 5, [0x2F, 0x02, 0xC0, 0xFF, 0x1F]),
      expected: "webp 3 × 16384"),
    Case(
      id: "WebP, extended",
      bytes: PictureBytes.webp("VP8X", 10, [0x10, 0, 0, 0, 0xFF, 0xFF, 0, 2, 0, 0]),
      expected: "webp 65536 × 3"),
  ]

  @Test(arguments: pictures)
  func `format and size come from the header`(_ example: Case) {
    #expect(text(example.bytes) == example.expected)
  }

  @Test(arguments: pictures)
  func `a header that is cut off anywhere is broken`(_ example: Case) {
    for count in example.bytes.indices {
      let answer = text(Array(example.bytes[..<count]))
      #expect(answer == "unknown" || answer.hasPrefix("broken"), "\(count) bytes")
    }
  }

  static let noPictures = [
    Case(id: "nothing", bytes: [], expected: "unknown"),
    Case(id: "a text", bytes: Array("a barn".utf8), expected: "unknown"),
    Case(id: "another GIF", bytes: PictureBytes.gif("GIF90a"), expected: "unknown"),
    Case(id: "another RIFF", bytes: Array("RIFF\0\0\0\0WAVEfmt ".utf8), expected: "unknown"),
    Case(
      id: "a PNG without width", bytes: PictureBytes.png(width: 0, height: 2),
      expected: "broken png"),
    Case(
      id: "a PNG without height", bytes: PictureBytes.png(width: 1, height: 0),
      expected: "broken png"),
    Case(
      id: "a PNG beyond the greatest", bytes: PictureBytes.png(width: 0x8000_0000, height: 1),
      expected: "broken png"),
    Case(
      id: "a PNG that starts otherwise",
      bytes: PictureBytes.png(width: 1, height: 1, chunk: "IDAT"),
      expected: "broken png"),
    Case(
      id: "a JPEG that ends before a frame",
      bytes: PictureBytes.jpeg([0xFF, 0xD9] + PictureBytes.frame(0xC0)),
      expected: "broken jpeg"),
    Case(
      id: "a JPEG with a scan before a frame",
      bytes: PictureBytes.jpeg([0xFF, 0xDA, 0, 2] + PictureBytes.frame(0xC0)),
      expected: "broken jpeg"),
    Case(
      id: "a JPEG segment shorter than its length", bytes: PictureBytes.jpeg([0xFF, 0xE0, 0, 1]),
      expected: "broken jpeg"),
    Case(
      id: "a JPEG segment beyond the end", bytes: PictureBytes.jpeg([0xFF, 0xE0, 0xFF, 0xFF]),
      expected: "broken jpeg"),
    Case(
      id: "a JPEG without a marker",
      bytes: PictureBytes.jpeg([0, 0xC0] + PictureBytes.frame(0xC0)),
      expected: "broken jpeg"),
    Case(
      id: "a JPEG of fill bytes", bytes: PictureBytes.jpeg(Array(repeating: 0xFF, count: 100_000)),
      expected: "broken jpeg"),
    Case(
      id: "a JPEG of empty segments",
      bytes: PictureBytes.jpeg((0..<100_000).flatMap { _ in [0xFF, 0xE0, 0, 2] }),
      expected: "broken jpeg"),
    Case(
      id: "a JPEG frame with another length than its components",
      bytes: PictureBytes.jpeg([0xFF, 0xC0, 0, 11, 8, 1, 2, 0, 3, 3, 1, 0x11, 0]),
      expected: "broken jpeg"),
    Case(
      id: "a WebP of another form", bytes: PictureBytes.webp("VP9 ", 10, PictureBytes.lossy),
      expected: "broken webp"),
    Case(
      id: "a WebP with a short chunk", bytes: PictureBytes.webp("VP8 ", 9, PictureBytes.lossy),
      expected: "broken webp"),
    Case(
      id: "a WebP that starts between key frames",
      bytes: PictureBytes.webp("VP8 ", 10, [0x01] + PictureBytes.lossy.dropFirst()),
      expected: "broken webp"),
    Case(
      id: "a WebP without a start code",
      bytes: PictureBytes.webp("VP8 ", 10, [0, 0, 0, 0x9D, 0x01, 0x2B, 1, 2, 2, 0]),
      expected: "broken webp"),
    Case(
      id: "a lossless WebP of another version",
      bytes: PictureBytes.webp("VP8L", 5, [0x2F, 0x02, 0xC0, 0xFF, 0x3F]), expected: "broken webp"),
    Case(
      id: "a WebP of too many pixels",
      bytes: PictureBytes.webp("VP8X", 10, [0, 0, 0, 0, 0xFF, 0xFF, 0, 0xFF, 0xFF, 0]),
      expected: "broken webp"),
  ]

  @Test(arguments: noPictures)
  func `what is no picture is said to be none`(_ example: Case) {
    #expect(text(example.bytes) == example.expected)
  }

  @Test func `bytes of any kind behind a signature crash nothing`() {
    var random = SeededGenerator(seed: 1, label: "hostile")
    let starts = Self.pictures.map { Array($0.bytes.prefix(16)) }

    for _ in 0..<2_000 {
      for start in starts {
        let rest = (0..<Int.random(in: 0..<64, using: &random)).map { _ in
          [0xFF, 0x00, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
        }
        _ = text(start + rest)
      }
    }
  }

  private func text(_ bytes: [UInt8]) -> String {
    do {
      let header = try PictureHeader(reading: bytes)
      return "\(header.format.rawValue) \(header.width) × \(header.height)"
    } catch {
      switch error {
      case .unknown: return "unknown"
      case .broken(let format): return "broken \(format.rawValue)"
      }
    }
  }
}
