import FlowCore
import FlowSystem
import Foundation
import Synchronization
import TestKit
import Testing

/// Files of journals: that their names are on the disk, or that there is no file.
@Suite struct JournalFileTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.directory.path + "/j"
  }

  @Test func `a journal whose name does not reach the disk leaves no file behind`() throws {
    let refusal = FileError(.unreadable, path: folder.directory.path, reason: "no space")

    #expect(throws: FileError(.unreadable, path: path, reason: "no space", isWriting: true)) {
      try JournalFile(creating: path) { _ throws(FileError) in throw refusal }
    }
    #expect(try folder.names == [])
  }

  @Test func `a journal can be read as the umask says, until it becomes private`() throws {
    let file = try JournalFile(creating: path)
    #expect(try folder.mode(of: "j") == folder.commonMode())

    file.makePrivate()

    #expect(try folder.mode(of: "j") == 0o600)
  }

  @Test func `a journal that is there keeps its mode`() throws {
    try folder.write("", to: "j")
    try folder.setMode(0o640, of: "j")

    try JournalFile(opening: path).makePrivate()

    #expect(try folder.mode(of: "j") == 0o640)
  }

  #if os(Linux)
    @Test func `a lock ends with its holder, whoever else has a copy of the descriptor`() throws {
      // As a process has that is being started.
      let holder = Mutex<JournalFile?>(try JournalFile(creating: path))
      let name = try #require(
        FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").first {
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))
            == path
        })
      let copy = dup(try #require(Int32(name)))
      defer { close(copy) }
      #expect(throws: FileError.self) { try JournalFile(opening: path) }

      holder.withLock { $0 = nil }

      #expect(throws: Never.self) { try JournalFile(opening: path) }
    }
  #endif

  @Test func `a folder that may be written and not read takes a journal`() throws {
    let manager = FileManager.default
    // For the ordinary user as for the owner.
    try manager.setAttributes([.posixPermissions: 0o333], ofItemAtPath: folder.directory.path)
    defer {
      try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.directory.path)
    }

    try withoutPrivileges {
      let file = try JournalFile(creating: path)
      try file.append(Array("line\n".utf8))
      try file.reachDisk()
    }

    #expect(try folder.text("j") == "line\n")
  }

  @Test func `what may wait is written with what may not, or when it has 4 KiB`()
    throws
  {
    let file = try JournalFile(creating: path)
    func add(_ text: String, mayWait: Bool) throws -> String {
      try file.append(Array(text.utf8), mayWait: mayWait)
      return try folder.text("j")
    }
    let long = String(repeating: "x", count: 4_095)

    #expect(try add("a\n", mayWait: true) == "")
    #expect(try add("b\n", mayWait: false) == "a\nb\n")
    #expect(try add(long, mayWait: true) == "a\nb\n")
    #expect(try add("\n", mayWait: true) == "a\nb\n\(long)\n")
  }

  @Test(arguments: ["release", "reachDisk"])
  func `what waits is written when it has to be durable, and at the end`(_ end: String) throws {
    let file = try JournalFile(creating: path)
    try file.append(Array("a\n".utf8), mayWait: true)

    if end == "release" { try file.release() } else { try file.reachDisk() }

    #expect(try folder.text("j") == "a\n")
  }

  // The limit on the size of files is the process's.
  @Test func `nothing is appended behind bytes that were not written whole`() async throws {
    let folder = try TemporaryFolder()

    await #expect(processExitsWith: .success) { [path = folder.path("j") as String] in
      let file = try JournalFile(creating: path)
      let most = limitFiles(to: 7)
      try file.append(Array("one\n".utf8))
      #expect(throws: FileError.self) { try file.append(Array("two\nthree\n".utf8)) }
      _ = limitFiles(to: most)

      #expect(throws: FileError.self) { try file.append(Array("four\n".utf8)) }
      #expect(throws: FileError.self) { try file.append(Array("five\n".utf8), mayWait: true) }
      #expect(throws: FileError.self) { try file.reachDisk() }
      #expect(throws: Never.self) { try file.release() }
    }
    #expect(try folder.text("j") == "one\ntwo")
  }
}

/// Limits the size of what the process writes, in bytes, and says how it was limited before.
private func limitFiles(to count: rlim_t) -> rlim_t {
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit()
  unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  defer {
    limit.rlim_cur = count
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }
  return limit.rlim_cur
}
