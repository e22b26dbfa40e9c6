import FlowCore
import Foundation
import PluginHarness
import Testing

struct OutputFileTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.directory.path + "/a.txt"
  }

  @Test
  func `until it is committed the old file stands`() throws {
    try folder.write("old", to: "a.txt")
    let file = try OutputFile(replacing: path)

    try file.append(Array("new".utf8))

    #expect(try folder.text("a.txt") == "old")
    #expect(try folder.names.count == 2)
    try file.commit()
    #expect(try folder.text("a.txt") == "new")
  }

  @Test
  func `a file let go before it is committed leaves nothing`() throws {
    try folder.write("old", to: "a.txt")
    var file: OutputFile? = try OutputFile(replacing: path)
    try file?.append(Array("new".utf8))

    file = nil

    #expect(try folder.text("a.txt") == "old")
    #expect(try folder.names == ["a.txt"])
  }

  @Test
  func `pieces are written in order`() throws {
    let file = try OutputFile(replacing: path)

    for piece in ["one ", "", "two ", "three"] { try file.append(Array(piece.utf8)) }
    try file.commit()

    #expect(try folder.text("a.txt") == "one two three")
  }

  @Test
  func `two writers of one path do not mix, and the last to commit stays`() throws {
    let first = try OutputFile(replacing: path)
    let second = try OutputFile(replacing: path)

    try first.append(Array("the first and longer".utf8))
    try second.append(Array("second".utf8))
    try first.commit()
    #expect(try folder.text("a.txt") == "the first and longer")
    try second.commit()

    #expect(try folder.text("a.txt") == "second")
    #expect(try folder.names == ["a.txt"])
  }

  @Test
  func `a file that cannot take its place is removed`() throws {
    try folder.write("inside", to: "a.txt/b.txt")

    #expect(
      text { try FileSystem.replace(path, with: [1]) } == "cannot write '\(path)': not a file")
    #expect(try folder.names == ["a.txt"])
  }

  @Test
  func `a file behind links is replaced, and the links stay`() throws {
    try folder.write("old", to: "sub/b.txt")
    try folder.link("near", to: "sub/b.txt")
    try folder.link("a.txt", to: "near")

    try FileSystem.replace(path, with: Array("new".utf8))

    #expect(try folder.text("sub/b.txt") == "new")
    #expect(try folder.names == ["a.txt", "near", "sub"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "near")
  }

  @Test
  func `a folder, a pipe or a device is not replaced, directly or behind a link`() throws {
    let root = folder.directory.path
    try folder.write("inside", to: "sub/b.txt")
    try folder.makePipe("pipe")
    try folder.link("link", to: "pipe")

    for path in [root, "\(root)/sub", "\(root)/pipe", "\(root)/link", "/dev/null"] {
      #expect(text { try OutputFile(replacing: path) } == "cannot write '\(path)': not a file")
    }
    #expect(try folder.names == ["link", "pipe", "sub"])
  }

  #if os(Linux)
    /// Elsewhere only root may make a socket without an address.
    @Test
    func `a socket is not replaced`() throws {
      try #require(unsafe mknod(path, S_IFSOCK | 0o600, 0) == 0)

      #expect(text { try OutputFile(replacing: path) } == "cannot write '\(path)': not a file")
      #expect(try folder.names == ["a.txt"])
    }
  #endif
}
