import FlowCore
import FlowSystem
import Foundation
import TestKit
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

  @Test
  func `a file and a folder reach the disk, and what is missing is told`() throws {
    try folder.write("12345", to: "a.txt")

    try FileSystem.sync(path)
    try FileSystem.sync(folder.directory.path)

    #expect(text { try FileSystem.sync(path + "x") } == "cannot write '\(path)x': no such folder")
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
  func `a pipe is read where it may be, and refused elsewhere`() throws {
    let pipe = Pipe()
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    try pipe.fileHandleForWriting.write(contentsOf: Data("text".utf8))
    try pipe.fileHandleForWriting.close()

    #expect(
      text { try FileSystem.contents(of: path, limit: 9) } == "cannot read '\(path)': not a file")
    #expect(try FileSystem.contents(of: path, limit: 9, allowsPipe: true) == Array("text".utf8))
  }

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

  @Test func `a file without permission is not read`() throws {
    try folder.write("12345", to: "a.txt")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)

    let message = withoutPrivileges { text { try FileSystem.contents(of: path, limit: 9) } }

    #expect(message == "cannot read '\(path)': permission denied")
  }

  @Test func `a folder without permission is not written`() throws {
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o500]
    try FileManager.default.setAttributes(attributes, ofItemAtPath: folder.directory.path)

    let message = withoutPrivileges { text { try FileSystem.replace(path, with: [1]) } }

    #expect(message == "cannot write '\(path)': permission denied")
  }

  @Test
  func `a file is replaced whole, and nothing is left beside it`() throws {
    try folder.write("a longer text", to: "a.txt")

    try FileSystem.replace(path, with: Array("new".utf8))

    #expect(try folder.text("a.txt") == "new")
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
