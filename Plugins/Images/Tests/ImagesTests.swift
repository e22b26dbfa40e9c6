import FlowCore
import FlowTesting
import PluginHarness
import Testing

@testable import ImagesPlugin

@Suite struct ImagesTests {
  @Test func `a picture is read once and then answered from the cache`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(PictureBytes.png(width: 3, height: 2), to: "pictures/barn.jpg")
    let images = try await open(["directory": "pictures"], folder)
    let known = """
      path: "barn.jpg", format: "png", width: 3, height: 2, bytes: 33, \
      sha256: "\(SHA256(PictureBytes.png(width: 3, height: 2)).hexadecimal)"
      """

    #expect(
      await images.fetch("barn.jpg") == "{\(known), cached: false, hits: 0, misses: 1}")
    try folder.remove("pictures/barn.jpg")
    #expect(await images.fetch("barn.jpg") == "{\(known), cached: true, hits: 1, misses: 1}")
    #expect(await images.text("clear") == "{removed: 1}")
    #expect(await images.fetch("barn.jpg") == "missing: 'barn.jpg' does not exist")
    #expect(await images.text("clear") == "{removed: 0}")
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let path: String
    let expected: String

    var testDescription: String { path }
  }

  static let refusals = [
    Refusal(path: "none.png", expected: "missing: 'none.png' does not exist"),
    Refusal(path: "gone/a.png", expected: "missing: 'gone/a.png' does not exist"),
    Refusal(
      path: "text.png", expected: "broken: 'text.png' is not a PNG, JPEG, GIF or WebP picture"),
    Refusal(path: "none", expected: "broken: 'none' is not a PNG, JPEG, GIF or WebP picture"),
    Refusal(
      path: "cut.gif",
      expected: "broken: 'cut.gif' starts like gif, and its header is cut off or impossible"),
    Refusal(path: "folder", expected: "broken: 'folder' is not a file"),
    Refusal(path: ".", expected: "broken: '.' is not a file"),
    Refusal(path: "", expected: "broken: '' is not a file"),
    Refusal(path: "../a.png", expected: "forbidden: '../a.png' leads out of the directory"),
    Refusal(
      path: "folder/../../a.png",
      expected: "forbidden: 'folder/../../a.png' leads out of the directory"),
    Refusal(path: "/etc/passwd", expected: "forbidden: '/etc/passwd' leads out of the directory"),
    Refusal(path: "a\0b", expected: "forbidden: 'a\0b' leads out of the directory"),
    Refusal(path: "link.png", expected: "forbidden: 'link.png' leads out of the directory"),
    Refusal(path: "out/a.png", expected: "forbidden: 'out/a.png' leads out of the directory"),
  ]

  @Test(arguments: refusals)
  func `what cannot be fetched has a declared error, every time`(_ refusal: Refusal) async throws {
    let folder = try TemporaryFolder()
    try folder.write(PictureBytes.png(width: 3, height: 2), to: "a.png")
    try folder.write("no picture", to: "in/text.png")
    try folder.write([], to: "in/none")
    try folder.write(Array("GIF89a".utf8), to: "in/cut.gif")
    try folder.write([], to: "in/folder/file")
    try folder.link("in/link.png", to: "../a.png")
    try folder.link("in/out", to: "..")
    let images = try await open(["directory": "in"], folder)

    #expect(await images.fetch(refusal.path) == refusal.expected)
    #expect(await images.fetch(refusal.path) == refusal.expected)
    #expect(await images.text("clear") == "{removed: 0}")
  }

  @Test func `a link inside of the directory is followed`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(PictureBytes.gif("GIF89a"), to: "barn.gif")
    try folder.link("link.gif", to: "barn.gif")
    let images = try await open([:], folder)

    #expect(await images.fetch("link.gif").hasPrefix("{path: \"link.gif\", format: \"gif\""))
  }

  @Test func `a failed fetch is tried again`() async throws {
    let folder = try TemporaryFolder()
    let images = try await open([:], folder)
    #expect(await images.fetch("barn.gif") == "missing: 'barn.gif' does not exist")

    try folder.write(PictureBytes.gif("GIF89a"), to: "barn.gif")

    #expect(await images.fetch("barn.gif").hasSuffix("cached: false, hits: 0, misses: 2}"))
  }

  @Test func `many callers at once read each file once`() async throws {
    let folder = try TemporaryFolder()
    for number in 0..<5 { try folder.write(PictureBytes.gif("GIF89a"), to: "\(number).gif") }
    let images = try await open([:], folder)

    let answers = await withTaskGroup { group in
      for number in 0..<100 { group.addTask { await images.fetch("\(number % 5).gif") } }
      return await group.reduce(into: [String]()) { $0.append($1) }
    }

    #expect(answers.filter { $0.contains("cached: false") }.count == 5)
    #expect(answers.filter { $0.contains("hits: 95, misses: 5") }.count == 1)
    #expect(await images.text("clear") == "{removed: 5}")
  }

  @Test func `the settings are checked at the start`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "file")

    let capacity = await #expect(throws: CapacityError.self) {
      try await open(["capacity": -1], folder)
    }
    #expect(capacity?.description == "the capacity -1 is negative")
    for path in ["none", "file", "..", "/"] {
      await #expect(throws: FileError.self) {
        try await open(["directory": path], folder)
      }
    }
  }
}

private func open(
  _ settings: [String: any FieldValue], _ folder: TemporaryFolder
) async throws -> OpenComponent {
  try await OpenComponent(Images.self, with: settings, in: folder.directory.path)
}

extension OpenComponent {
  fileprivate func fetch(_ path: String) async -> String {
    await text("fetch", ["path": path])
  }
}
