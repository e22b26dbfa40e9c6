import FlowCore
import Testing

@testable import ImagesPlugin

/// The pictures that the scenarios use, which another program has made.
@Suite struct PictureFileTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let path: String
    let expected: String

    var testDescription: String { path }
  }

  static let examples = [
    Example(path: "barn-01.png", expected: "png 120 × 80"),
    Example(path: "barn-02.jpg", expected: "jpeg 112 × 63"),
    Example(path: "barn-03.gif", expected: "gif 112 × 63"),
    Example(path: "barn-04.webp", expected: "webp 120 × 80"),
    Example(path: "barn-06.jpg", expected: "jpeg 120 × 80"),
    Example(path: "barn-08.webp", expected: "webp 120 × 80"),
    Example(path: "barn-12.webp", expected: "webp 96 × 64"),
  ]

  private static let directory = Directory(
    #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()
      + "/Scenarios/data/images")

  @Test(arguments: examples)
  func `a picture of the scenarios has its format and size`(_ example: Example) throws {
    let header = try Picture(reading: example.path, in: Self.directory).header

    #expect("\(header.format.rawValue) \(header.width) × \(header.height)" == example.expected)
  }

  @Test(arguments: examples)
  func `any beginning of a picture is the picture or broken`(_ example: Example) throws {
    let bytes = try Self.directory.read(example.path)
    let whole = try PictureHeader(reading: bytes)
    var shortest = 0

    for count in bytes.indices {
      guard let header = try? PictureHeader(reading: Array(bytes[..<count])) else {
        shortest = count + 1
        continue
      }
      #expect(header == whole, "\(count) bytes")
    }

    // No more than one stretch of beginnings is broken, the one without the whole header.
    for count in shortest..<bytes.count {
      #expect((try? PictureHeader(reading: Array(bytes[..<count]))) == whole, "\(count) bytes")
    }
    #expect(shortest > 12)
  }

  @Test(arguments: examples)
  func `a picture with any one byte changed crashes nothing`(_ example: Example) throws {
    let bytes = try Self.directory.read(example.path)

    for offset in bytes.indices {
      for value: UInt8 in [0x00, 0x7F, 0xFF] {
        var changed = bytes
        changed[offset] = value
        _ = try? PictureHeader(reading: changed)
      }
    }
  }
}
