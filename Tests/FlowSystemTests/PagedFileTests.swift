import FlowSystem
import Foundation
import TestKit
import Testing

/// A file of which a part is in memory.
struct PagedFileTests {
  private let folder: TemporaryFolder
  private let path: String
  /// More than are kept in memory, and no whole number of pages.
  private static let bytes = (0..<3_000).flatMap { number in
    Array("\(number) ".utf8) + [UInt8](repeating: UInt8(number % 251), count: 995)
  }
  private let bytes = Self.bytes

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.txt")
    try folder.write(bytes, to: "a.txt")
  }

  @Test func `every byte is there, from the first to the last and back`() throws {
    let file = try #require(PagedFile(path, atLeast: bytes.count))
    let places = [0, 1, 16_383, 16_384, 2_097_152, bytes.count - 1, 0, 2_097_151]

    #expect(file.count == bytes.count)
    for place in places {
      let found = file.bytes(from: place)
      #expect(!found.isEmpty && bytes[place...].starts(with: found), "from \(place)")
    }
    var (all, place) = ([UInt8](), 0)
    while place < file.count {
      all += file.bytes(from: place)
      place = all.count
    }
    #expect(all == bytes)
    #expect(file.bytes(from: bytes.count) == [])
    #expect(file.problem == nil)
  }

  @Test func `a smaller file, a folder, a pipe and nothing are not opened`() throws {
    try folder.makePipe("pipe")

    #expect(PagedFile(path, atLeast: bytes.count + 1) == nil)
    for name in ["", "pipe", "missing"] {
      #expect(PagedFile(folder.path(name), atLeast: 0) == nil, "\(name)")
    }
  }

  @Test(arguments: ["cut off", "longer", "with other bytes"])
  func `one that changes is read no more`(_ change: String) throws {
    let file = try #require(PagedFile(path, atLeast: 1))
    let first = file.bytes(from: 0)

    let handle = try FileHandle(forUpdating: URL(filePath: path))
    switch change {
    case "cut off": try handle.truncate(atOffset: 100)
    case "longer":
      try handle.seekToEnd()
      try handle.write(contentsOf: [1])
    default: try handle.write(contentsOf: [1])
    }
    try handle.close()
    // Its time may be the one that it had: the system's clock for files moves in steps.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)

    #expect(file.bytes(from: 0) == first, "what is in memory stays")
    #expect(file.problem == nil)
    #expect(file.bytes(from: 2_000_000) == [])
    #expect(
      file.problem.map { "\($0)" } == "cannot read '\(path)': it changed while it was read")
    #expect(file.bytes(from: 0) == [], "nor what is in memory")
  }
}
