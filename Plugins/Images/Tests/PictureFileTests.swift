import FlowCore
import TestKit
import Testing

@testable import ImagesPlugin

/// The pictures that the scenarios use, which another program has made.
@Suite struct PictureFileTests {
  static let pictures = [
    "barn-01.png": "png 120 × 80", "barn-02.jpg": "jpeg 112 × 63", "barn-03.gif": "gif 112 × 63",
    "barn-04.webp": "webp 120 × 80", "barn-06.jpg": "jpeg 120 × 80",
    "barn-08.webp": "webp 120 × 80", "barn-12.webp": "webp 96 × 64",
  ]

  private static let directory = Directory(ScenarioFolder.path + "/data/images")

  @Test(arguments: pictures)
  func `a picture of the scenarios has its format and size`(
    _ path: String, expected: String
  ) throws {
    #expect(try Picture(reading: path, in: Self.directory).header.text == expected)
  }

  @Test(arguments: pictures.keys)
  func `any beginning of a picture is the picture or broken`(_ path: String) throws {
    let bytes = try Self.directory.read(path)
    let whole = try PictureHeader(reading: bytes)

    let headers = bytes.indices.map { try? PictureHeader(reading: Array(bytes[..<$0])) }

    // No more than one stretch of beginnings is broken, the one without the whole header.
    let broken = headers.prefix { $0 == nil }
    #expect(broken.count > 12)
    #expect(headers.dropFirst(broken.count).allSatisfy { $0 == whole })
  }

  @Test(arguments: pictures.keys)
  func `a picture with any one byte changed crashes nothing`(_ path: String) throws {
    let bytes = try Self.directory.read(path)

    for offset in bytes.indices {
      for value: UInt8 in [0x00, 0x7F, 0xFF] {
        var changed = bytes
        changed[offset] = value
        _ = try? PictureHeader(reading: changed)
      }
    }
  }
}
