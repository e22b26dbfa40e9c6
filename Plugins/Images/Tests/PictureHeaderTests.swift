import FlowCore
import Testing

@testable import ImagesPlugin

@Suite struct PictureHeaderTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let id: String
    let bytes: [UInt8]
    let expected: String

    var testDescription: String { id }

    init(_ id: String, _ bytes: [UInt8], _ expected: String) {
      (self.id, self.bytes, self.expected) = (id, bytes, expected)
    }
  }

  static let pictures: [Example] = [
    Example("PNG", .png(width: 300, height: 2), "png 300 × 2"),
    Example("the greatest PNG", .png(width: 0x7FFF_FFFF, height: 1), "png 2147483647 × 1"),
    Example("GIF 87a", .gif("GIF87a"), "gif 513 × 2"),
    Example("GIF 89a", .gif("GIF89a"), "gif 513 × 2"),
    Example("JPEG, baseline", .jpeg(frame: 0xC0), "jpeg 3 × 258"),
    Example("JPEG, progressive", .jpeg(frame: 0xC2), "jpeg 3 × 258"),
    Example("JPEG, lossless", .jpeg(frame: 0xCF), "jpeg 3 × 258"),
    Example(
      "JPEG behind a Huffman table, an arithmetic table and a JPG segment",
      .jpeg([0xFF, 0xC4, 0, 3, 9, 0xFF, 0xCC, 0, 2, 0xFF, 0xC8, 0, 2], frame: 0xC1),
      "jpeg 3 × 258"),
    Example(
      "JPEG behind fill bytes and markers that stand alone",
      .jpeg([0xFF, 0xFF, 0x01, 0xFF, 0xD0, 0xFF, 0xD7, 0xFF], frame: 0xC0), "jpeg 3 × 258"),
    Example(
      "JPEG behind a segment that holds a frame",
      .jpeg([0xFF, 0xE1, 0, 8, 0xFF, 0xC0, 0, 0, 0, 0], frame: 0xC0), "jpeg 3 × 258"),
    Example("WebP, lossy, with scales", .webp("VP8 ", 10, .lossy), "webp 513 × 2"),
    Example("WebP, lossless", .webp("VP8L", 5, [0x2F, 0x02, 0xC0, 0xFF, 0x1F]), "webp 3 × 16384"),
    Example(
      "WebP, extended", .webp("VP8X", 10, [0x10, 0, 0, 0, 0xFF, 0xFF, 0, 2, 0, 0]),
      "webp 65536 × 3"),
  ]

  @Test(arguments: pictures)
  func `format and size come from the header`(_ example: Example) {
    #expect(text(example.bytes) == example.expected)
  }

  @Test(arguments: pictures)
  func `a header that is cut off anywhere is broken`(_ example: Example) {
    for count in example.bytes.indices {
      let answer = text(Array(example.bytes[..<count]))
      #expect(answer == "unknown" || answer.hasPrefix("broken"), "\(count) bytes")
    }
  }

  static let notPictures: [Example] = [
    Example("nothing", [], "unknown"),
    Example("a text", Array("a barn".utf8), "unknown"),
    Example("another GIF", .gif("GIF90a"), "unknown"),
    Example("another RIFF", Array("RIFF\0\0\0\0WAVEfmt ".utf8), "unknown"),
    Example("a PNG without width", .png(width: 0, height: 2), "broken png"),
    Example("a PNG without height", .png(width: 1, height: 0), "broken png"),
    Example("a PNG beyond the greatest", .png(width: 0x8000_0000, height: 1), "broken png"),
    Example("a PNG that starts otherwise", .png(width: 1, height: 1, "IDAT"), "broken png"),
    Example("a JPEG that ends before a frame", .jpeg([0xFF, 0xD9], frame: 0xC0), "broken jpeg"),
    Example(
      "a JPEG with a scan before a frame", .jpeg([0xFF, 0xDA, 0, 2], frame: 0xC0), "broken jpeg"),
    Example("a JPEG segment shorter than its length", .jpeg([0xFF, 0xE0, 0, 1]), "broken jpeg"),
    Example("a JPEG segment beyond the end", .jpeg([0xFF, 0xE0, 0xFF, 0xFF]), "broken jpeg"),
    Example("a JPEG without a marker", .jpeg([0, 0xC0], frame: 0xC0), "broken jpeg"),
    Example("a JPEG of fill bytes", .jpeg(Array(repeating: 0xFF, count: 100_000)), "broken jpeg"),
    Example(
      "a JPEG of empty segments", .jpeg((0..<100_000).flatMap { _ in [0xFF, 0xE0, 0, 2] }),
      "broken jpeg"),
    Example(
      "a JPEG frame with another length than its components",
      .jpeg([0xFF, 0xC0, 0, 11, 8, 1, 2, 0, 3, 3, 1, 0x11, 0]), "broken jpeg"),
    Example("a WebP of another form", .webp("VP9 ", 10, .lossy), "broken webp"),
    Example("a WebP with a short chunk", .webp("VP8 ", 9, .lossy), "broken webp"),
    Example(
      "a WebP that starts between key frames",
      .webp("VP8 ", 10, [1, 0, 0, 0x9D, 0x01, 0x2A, 1, 0x42, 2, 0xC0]), "broken webp"),
    Example(
      "a WebP without a start code", .webp("VP8 ", 10, [0, 0, 0, 0x9D, 0x01, 0x2B, 1, 2, 2, 0]),
      "broken webp"),
    Example(
      "a lossless WebP of another version", .webp("VP8L", 5, [0x2F, 0x02, 0xC0, 0xFF, 0x3F]),
      "broken webp"),
    Example(
      "a WebP of too many pixels",
      .webp("VP8X", 10, [0, 0, 0, 0, 0xFF, 0xFF, 0, 0xFF, 0xFF, 0]), "broken webp"),
  ]

  @Test(arguments: notPictures)
  func `what is not a picture is refused`(_ example: Example) {
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
    do { return try PictureHeader(reading: bytes).text } catch {
      switch error {
      case .unknown: return "unknown"
      case .broken(let format): return "broken \(format.rawValue)"
      }
    }
  }
}

extension PictureHeader {
  /// `png 300 × 2`.
  var text: String { "\(format.rawValue) \(width) × \(height)" }
}

/// Headers of pictures, byte by byte, as the specifications have them.
extension [UInt8] {
  static func png(width: UInt32, height: UInt32, _ chunk: String = "IHDR") -> [UInt8] {
    let size = [width, height].flatMap { number in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array(chunk.utf8)
      + size + [8, 2, 0, 0, 0] + [1, 2, 3, 4]
  }

  /// 513 × 2 pixels.
  static func gif(_ signature: String) -> [UInt8] {
    Array(signature.utf8) + [1, 2, 2, 0, 0x80, 0, 0]
  }

  /// A start, an application segment, then `segments`, and a frame of 3 × 258 pixels with one
  /// component unless there is no marker for it.
  fileprivate static func jpeg(_ segments: [UInt8] = [], frame marker: UInt8? = nil) -> [UInt8] {
    let frame: [UInt8] = marker.map { [0xFF, $0, 0, 11, 8, 1, 2, 0, 3, 1, 1, 0x11, 0] } ?? []
    return [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2] + segments + frame
  }

  /// A file whose first chunk says that it has `length` bytes.
  fileprivate static func webp(_ form: String, _ length: UInt8, _ content: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + [100, 0, 0, 0] + Array("WEBP".utf8) + Array(form.utf8)
      + [length, 0, 0, 0] + content
  }

  /// A lossy frame of 513 × 2 pixels, to be shown at twice the width.
  fileprivate static let lossy: [UInt8] = [0, 0, 0, 0x9D, 0x01, 0x2A, 1, 0x42, 2, 0xC0]
}
