import FlowCore
import Foundation
import PluginHarness
import Testing

struct FileSystemTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.directory.path + "/a.txt"
  }

  @Test(arguments: [0, 1, 5, 70_000])
  func `a whole file is read`(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    try folder.write(bytes, to: "a.txt")

    #expect(try FileSystem.contents(of: path, limit: count) == bytes)
  }

  @Test
  func `a file larger than the limit is refused`() throws {
    try folder.write("12345", to: "a.txt")

    #expect(
      text { try FileSystem.contents(of: path, limit: 4) }
        == "cannot read '\(path)': too large, more than 4 bytes")
  }

  #if os(Linux)
    /// The kernel's files have the size 0 whatever they hold.
    @Test
    func `a file that holds more than its size says is read up to the limit`() throws {
      let size = try FileSystem.contents(of: "/proc/version", limit: 4_096).count

      #expect(try FileSystem.contents(of: "/proc/version", limit: size).count == size)
      #expect(
        text { try FileSystem.contents(of: "/proc/version", limit: size - 1) }
          == "cannot read '/proc/version': too large, more than \(size - 1) bytes")
    }
  #endif

  @Test
  func `what is no file is not read`() {
    let directory = folder.directory.path

    #expect(
      text { try FileSystem.contents(of: path, limit: 9) } == "cannot read '\(path)': no such file")
    #expect(
      text { try FileSystem.contents(of: directory, limit: 9) }
        == "cannot read '\(directory)': not a file")
    #expect(
      text { try FileSystem.contents(of: "/dev/null", limit: 9) }
        == "cannot read '/dev/null': not a file")
  }

  @Test(.enabled(if: NSUserName() != "root", "root may read every file"))
  func `a file without permission is not read`() throws {
    try folder.write("12345", to: "a.txt")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)

    #expect(
      text { try FileSystem.contents(of: path, limit: 9) }
        == "cannot read '\(path)': permission denied")
  }

  @Test(.enabled(if: NSUserName() != "root", "root may write every folder"))
  func `a folder without permission is not written`() throws {
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o500]
    try FileManager.default.setAttributes(attributes, ofItemAtPath: folder.directory.path)

    #expect(
      text { try FileSystem.replace(path, with: [1]) }
        == "cannot write '\(path)': permission denied")
  }

  @Test
  func `a file is replaced whole, and nothing is left beside it`() throws {
    try folder.write("a longer text", to: "a.txt")

    try FileSystem.replace(path, with: Array("new".utf8))

    #expect(try folder.text("a.txt") == "new")
    #expect(try folder.names == ["a.txt"])
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
  func `a path is resolved through links and dots`() throws {
    try folder.write("inside", to: "sub/b.txt")
    try folder.link("alias", to: "sub")
    let root = try #require(FileSystem.realPath(folder.directory.path))

    #expect(FileSystem.realPath(root + "/alias/../sub/./b.txt") == root + "/sub/b.txt")
    #expect(FileSystem.realPath(root + "/none") == nil)
  }

  @Test
  func `files and folders are told apart`() throws {
    try folder.write("inside", to: "a.txt")
    let root = folder.directory.path

    #expect([root, path, root + "/none"].map(FileSystem.isDirectory) == [true, false, false])
    #expect([root, path, root + "/none"].map(FileSystem.exists) == [true, true, false])
  }

  @Test
  func `a variable that is not set has no value`() {
    #expect(FileSystem.environmentVariable("FLOW_\(UUID().uuidString)") == nil)
    #expect(FileSystem.environmentVariable("PATH") == ProcessInfo.processInfo.environment["PATH"])
  }
}
