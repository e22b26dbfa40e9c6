import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import ImagesPlugin

@Suite struct ImagesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: ComponentCheck.allCases)
  func `the images pass the checks of components`(_ check: ComponentCheck) async throws {
    let sample = try ScenarioFile("../look.yaml")

    try await ComponentChecks(Images.self, sample: sample).verify(check)
  }

  @Test func `a picture is read once, then answered from the cache, and read again after a clear`()
    async throws
  {
    let png: [UInt8] = .png(width: 3, height: 2)
    try folder.write(png, to: "pictures/barn.jpg")
    let images = try await open(["directory": "pictures"])
    let known = """
      path: "barn.jpg", format: "png", width: 3, height: 2, bytes: 33, \
      sha256: "\(SHA256(png).hexadecimal)"
      """

    #expect(
      await images.fetch("barn.jpg") == "{\(known), cached: false, hits: 0, misses: 1}")
    try folder.remove("pictures/barn.jpg")
    #expect(await images.fetch("barn.jpg") == "{\(known), cached: true, hits: 1, misses: 1}")
    #expect(await images.text("clear") == "{removed: 1}")
    #expect(await images.fetch("barn.jpg") == "missing: 'barn.jpg' does not exist")
    try folder.write(png, to: "pictures/barn.jpg")
    #expect(await images.fetch("barn.jpg") == "{\(known), cached: false, hits: 1, misses: 3}")
  }

  @Test(arguments: [
    ("none.png", "missing: 'none.png' does not exist"),
    ("gone/a.png", "missing: 'gone/a.png' does not exist"),
    ("text.png", "broken: 'text.png' is not a PNG, JPEG, GIF or WebP picture"),
    ("none", "broken: 'none' is not a PNG, JPEG, GIF or WebP picture"),
    ("cut.gif", "broken: 'cut.gif' starts like gif, but its header is cut off or invalid"),
    ("folder", "broken: 'folder' is not a file"),
    (".", "broken: '.' is not a file"),
    ("", "broken: '' is not a file"),
    ("../a.png", "forbidden: '../a.png' is outside the directory"),
    ("folder/../../a.png", "forbidden: 'folder/../../a.png' is outside the directory"),
    ("/etc/passwd", "forbidden: '/etc/passwd' is outside the directory"),
    ("a\0b", "forbidden: 'a\0b' is outside the directory"),
    ("link.png", "forbidden: 'link.png' is outside the directory"),
    ("out/a.png", "forbidden: 'out/a.png' is outside the directory"),
  ])
  func `what cannot be fetched has a declared error, every time`(
    _ path: String, expected: String
  ) async throws {
    try folder.write(.png(width: 3, height: 2), to: "a.png")
    try folder.write("not a picture", to: "in/text.png")
    try folder.write([], to: "in/none")
    try folder.write(Array("GIF89a".utf8), to: "in/cut.gif")
    try folder.write([], to: "in/folder/file")
    try folder.link("in/link.png", to: "../a.png")
    try folder.link("in/out", to: "..")
    let images = try await open(["directory": "in"])

    #expect(await images.fetch(path) == expected)
    #expect(await images.fetch(path) == expected)
    #expect(await images.text("clear") == "{removed: 0}")
  }

  @Test func `a link inside of the directory is followed`() async throws {
    try folder.write(.gif("GIF89a"), to: "barn.gif")
    try folder.link("link.gif", to: "barn.gif")
    let images = try await open()

    #expect(await images.fetch("link.gif").hasPrefix("{path: \"link.gif\", format: \"gif\""))
  }

  @Test func `many callers at once read each file once`() async throws {
    for number in 0..<5 { try folder.write(.gif("GIF89a"), to: "\(number).gif") }
    let images = try await open()

    let answers = await withTaskGroup { group in
      for number in 0..<100 { group.addTask { await images.fetch("\(number % 5).gif") } }
      return await group.reduce(into: [String]()) { $0.append($1) }
    }

    #expect(answers.filter { $0.contains("cached: false") }.count == 5)
    #expect(answers.filter { $0.contains("hits: 95, misses: 5") }.count == 1)
    #expect(await images.text("clear") == "{removed: 5}")
  }

  @Test func `the settings are checked at the start`() async throws {
    try folder.write("", to: "file")

    await #expect(throws: ComponentError(.settings, "'capacity' is -1; it must be 0 or more")) {
      try await open(["capacity": -1])
    }
    for path in ["none", "file", "..", "/"] {
      await #expect(throws: FileError.self) { try await open(["directory": path]) }
    }
  }

  private func open(_ settings: [String: any FieldValue] = [:]) async throws -> OpenComponent {
    try await OpenComponent(Images.self, with: settings, in: folder.directory.path)
  }
}

extension OpenComponent {
  fileprivate func fetch(_ path: String) async -> String { await text("fetch", ["path": path]) }
}
