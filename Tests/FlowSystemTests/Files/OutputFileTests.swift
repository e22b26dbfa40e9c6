import FlowCore
import FlowSystem
import Foundation
import TestKit
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

  @Test func `a link to a stream, as /dev/stdout is, is refused and stays`() throws {
    let pipe = Pipe()
    let stream = "/dev/fd/\(pipe.fileHandleForWriting.fileDescriptor)"
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: stream)

    let error = #expect(throws: FileError.self) {
      try FileSystem.replace(path, with: Array("new".utf8))
    }

    #expect(error?.description.hasSuffix("not a file") == true, "\(String(describing: error))")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == stream)
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

  @Test(arguments: [0o600, 0o640, 0o664, 0o400])
  func `a file that is replaced keeps its mode`(_ mode: Int) throws {
    try folder.write("old", to: "a.txt")
    try folder.setMode(mode, of: "a.txt")

    for isPrivate in [false, true] {
      try FileSystem.replace(path, with: Array("new".utf8), isPrivate: isPrivate)
      #expect(try folder.mode(of: "a.txt") == mode)
    }
    #expect(try folder.text("a.txt") == "new")
  }

  @Test
  func `a new file can be read as the umask says, or by its owner alone`() throws {
    try FileSystem.replace(path, with: [1])
    try FileSystem.replace(path + "2", with: [1], isPrivate: true)
    let file = try OutputFile(replacing: path + "3")
    try file.commit(isPrivate: true)

    #expect(try folder.mode(of: "a.txt") == folder.commonMode())
    #expect(try folder.mode(of: "a.txt2") == 0o600)
    #expect(try folder.mode(of: "a.txt3") == 0o600)
  }

  @Test
  func `other hard links keep the old content`() throws {
    try folder.write("old", to: "a.txt")
    try folder.linkHard("b.txt", to: "a.txt")

    try FileSystem.replace(path, with: Array("new".utf8))

    #expect(try [folder.text("a.txt"), folder.text("b.txt")] == ["new", "old"])
  }

  @Test
  func `a temporary file is known by its name, and abandoned when nobody writes it`() throws {
    let file = try OutputFile(replacing: path)
    let name = try #require(try folder.names.first)

    #expect(OutputFile.name(ofTemporary: name) == "a.txt")
    for other in ["a.txt", "a.flow-x!.tmp", "a.flow-.tmp", "a.flow-x", "flow-x.tmp"] {
      #expect(OutputFile.name(ofTemporary: other) == nil)
    }
    #expect(!OutputFile.isAbandoned(folder.path(name)))
    file.discard()
    try folder.write("left", to: name)
    #expect(OutputFile.isAbandoned(folder.path(name)))
  }

  @Test
  func `a part is named by its file, and replaces what a killed process left`() throws {
    try folder.write("half", to: "a.txt.part")
    try folder.write("old", to: "a.txt")
    let file = try OutputFile(replacing: path, asPart: true)

    try file.append(Array("new".utf8))

    #expect(try folder.names == ["a.txt", "a.txt.part"])
    #expect(try folder.text("a.txt.part") == "new")
    #expect(try folder.text("a.txt") == "old")
    try file.commit()
    #expect(try folder.names == ["a.txt"])
    #expect(try folder.text("a.txt") == "new")
  }

  @Test
  func `two parts of one path do not mix, and the last to commit stays`() throws {
    let first = try OutputFile(replacing: path, asPart: true)
    let second = try OutputFile(replacing: path, asPart: true)

    try first.append(Array("the first and longer".utf8))
    try second.append(Array("second".utf8))

    #expect(try folder.names == ["a.txt.2.part", "a.txt.part"])
    try first.commit()
    #expect(try folder.text("a.txt") == "the first and longer")
    try second.commit()
    #expect(try folder.text("a.txt") == "second")
    #expect(try folder.names == ["a.txt"])
  }

  @Test
  func `parts that many tasks make at once are files of their own`() async throws {
    let path = path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          let text = String(repeating: "\(number % 10)", count: 1_000)
          for _ in 0..<20 {
            let file = try OutputFile(replacing: path, asPart: true)
            try file.append(Array(text.utf8))
            try file.commit()
          }
        }
      }
      try await group.waitForAll()
    }

    #expect(try folder.names == ["a.txt"])
    let text = try folder.text("a.txt")
    #expect(Set(text).count == 1)
    #expect(text.count == 1_000)
  }

  @Test
  func `in the place of a part a link is not followed, and a folder stays`() throws {
    try folder.write("dear", to: "b.txt")
    try folder.link("a.txt.part", to: "b.txt")
    try folder.write("inside", to: "c.txt.part/d.txt")

    for name in ["a.txt", "c.txt"] {
      let file = try OutputFile(replacing: folder.path(name), asPart: true)
      try file.append(Array("new".utf8))
      try file.commit()
    }

    #expect(try folder.names == ["a.txt", "b.txt", "c.txt", "c.txt.part"])
    #expect(try ["a.txt", "b.txt", "c.txt"].map(folder.text) == ["new", "dear", "new"])
    #expect(try folder.text("c.txt.part/d.txt") == "inside")
  }

  @Test
  func `a part that somebody took away is not committed`() throws {
    let file = try OutputFile(replacing: path, asPart: true)
    try file.append(Array("new".utf8))
    try folder.remove("a.txt.part")
    try folder.write("foreign", to: "a.txt.part")

    #expect(text { try file.commit() } == "cannot write '\(path)': its temporary file was removed")

    #expect(try folder.text("a.txt.part") == "foreign")
    #expect(try folder.names == ["a.txt.part"])
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
