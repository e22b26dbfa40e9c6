import FlowCore
import FlowSystem
import Foundation
import Synchronization
import TestKit
import Testing

/// Paths that are looked up by the system at once, and in steps.
struct EnclosedPathTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("inside", to: "project/root/a.txt")
    try folder.write("deep", to: "project/root/sub/deeper/b.txt")
    try folder.write("beside", to: "project/other/c.txt")
    try folder.write("outside", to: "secret.txt")
    try folder.link("project/root/alias", to: "sub/../sub/./deeper")
    try folder.link("project/root/chain", to: "alias")
    try folder.link("project/root/beside", to: "../other")
    try folder.link("project/root/out", to: "../../secret.txt")
    try folder.link("project/root/up", to: "../..")
    try folder.link("project/root/lost", to: "nowhere")
    try folder.link("project/root/astray", to: "../../nowhere")
    try folder.link("project/root/loop", to: "loop")
    let real = try #require(FileSystem.realPath(folder.directory.path))
    try folder.link("project/root/whole", to: real + "/project/root/sub")
    try folder.link("project/root/elsewhere", to: real)
  }

  private func directory(inSteps: Bool) -> Directory {
    let real = FileSystem.realPath(folder.path("project"))
    let directory = Directory(folder.path("project/root"), inside: real)
    return inSteps ? directory.steppingThroughPaths : directory
  }

  @Test(
    arguments: [false, true],
    [
      TextRow("a.txt", "inside"), TextRow("sub/deeper/../../a.txt", "inside"),
      TextRow("alias/b.txt", "deep"), TextRow("chain/b.txt", "deep"),
      TextRow("alias/../deeper//b.txt", "deep"), TextRow("whole/deeper/b.txt", "deep"),
      TextRow("beside/c.txt", "beside"), TextRow("../other/c.txt", "beside"),
      TextRow("beside/../root/a.txt", "inside"),
      TextRow("out", "cannot read 'out': the path is outside the project's folder"),
      TextRow(
        "up/secret.txt", "cannot read 'up/secret.txt': the path is outside the project's folder"),
      TextRow(
        "elsewhere/secret.txt",
        "cannot read 'elsewhere/secret.txt': the path is outside the project's folder"),
      TextRow(
        "../../secret.txt",
        "cannot read '../../secret.txt': the path is outside the project's folder"),
      TextRow("lost", "cannot read 'lost': no such file, the target of the link does not exist"),
      TextRow("loop", "cannot read 'loop': too many levels of symbolic links"),
      TextRow("a.txt/x", "cannot read 'a.txt/x': no such file"),
      TextRow("sub", "cannot read 'sub': not a file"), TextRow("", "cannot read '': not a file"),
      TextRow("none/x", "cannot read 'none/x': no such file"),
    ])
  func `a path leads to the same file by one call and in steps`(
    _ inSteps: Bool, _ row: TextRow<String>
  ) {
    let directory = directory(inSteps: inSteps)

    #expect(text { String(decoding: try directory.read(row.text), as: UTF8.self) } == row.expected)
  }

  @Test(arguments: [false, true])
  func `files and folders are changed by one call and in steps`(_ inSteps: Bool) throws {
    let directory = directory(inSteps: inSteps)

    try directory.write(Array("one".utf8), to: "chain/new.txt")
    try directory.write(Array("two".utf8), to: "whole/deeper/new.txt")
    try directory.append(Array("three".utf8), to: "alias/new.txt")
    try directory.makeFolder("beside/made/deep")
    try directory.move("alias/new.txt", to: "../other/made/moved.txt")
    try directory.write(Array("four".utf8), to: "lost")
    try directory.write(Array("five".utf8), to: "astray")
    try directory.remove("whole")
    let sub = try directory.subdirectory("beside/made")

    #expect(try folder.text("project/other/made/moved.txt") == "twothree")
    #expect(try folder.names(in: "project/root/sub/deeper") == ["b.txt"])
    #expect(try folder.text("project/root/lost") == "four")
    #expect(try folder.text("project/root/astray") == "five")
    #expect(try sub.entries(of: ".").map(\.name) == ["deep", "moved.txt"])
    #expect(
      text { try sub.read("../c.txt") }
        == "cannot read '../c.txt': the path is outside the scenario's folder")
    #expect(
      text { try directory.append([1], to: "none/../../other/x") }
        == "cannot write 'none/../../other/x': there is no folder 'none/../../other'")
    #expect(try folder.names == ["project", "secret.txt"])
  }

  @Test(arguments: [false, true])
  func `no path leads out while a folder becomes a link again and again`(_ inSteps: Bool) throws {
    let outside = ["f.txt", "kept.txt", "moved.txt"]
    for name in outside { try folder.write("OUTSIDE", to: "outside/\(name)") }
    try folder.write("inside", to: "project/root/d/f.txt")
    try folder.link("project/root/trap", to: "../../outside")
    let directory = directory(inSteps: inSteps)
    let swapping = Swapping(folder.path("project/root"), "d", "trap")
    var reads = Set<String>()
    var names = Set<String>()

    for _ in 0..<3_000 {
      reads.insert(
        (try? directory.read("d/f.txt")).map { String(decoding: $0, as: UTF8.self) } ?? "")
      names.formUnion((try? directory.entries(of: "d"))?.map(\.name) ?? [])
      try? directory.append([1], to: "d/f.txt.log")
      try? directory.write([2], to: "d/written.txt")
      try? directory.makeFolder("d/made/deep")
      try? directory.remove("d/kept.txt")
      try? directory.move("d/moved.txt", to: "stolen.txt")
      try? directory.move("a.txt", to: "d/a.txt")
      try? directory.move("d/a.txt", to: "a.txt")
      try? directory.remove("d/made", recursively: true)
      if let sub = try? directory.subdirectory("d") {
        reads.insert((try? sub.read("f.txt")).map { String(decoding: $0, as: UTF8.self) } ?? "")
      }
    }
    let swaps = swapping.end()

    #expect(swaps > 100)
    #expect(reads.subtracting(["inside", ""]) == [])
    #expect(names.isDisjoint(with: ["kept.txt", "moved.txt"]))
    #expect(try folder.names(in: "outside") == outside)
    #expect(try outside.allSatisfy { try folder.text("outside/\($0)") == "OUTSIDE" })
  }
}

/// Puts a link in the place of a folder, and back, until it is told to end.
private final class Swapping: Sendable {
  private let isOver = Atomic(false)
  private let count = Atomic(0)
  private let done = DispatchSemaphore(value: 0)

  init(_ root: String, _ name: String, _ link: String) {
    Thread.detachNewThread { [self] in
      while !isOver.load(ordering: .relaxed) {
        exchange(root + "/" + name, root + "/" + link)
        count.add(1, ordering: .relaxed)
      }
      done.signal()
    }
  }

  /// How often it has.
  func end() -> Int {
    isOver.store(true, ordering: .relaxed)
    done.wait()
    return count.load(ordering: .relaxed)
  }
}

/// Exchanges what two names stand for, so that neither is ever without anything.
private func exchange(_ name: String, _ other: String) {
  #if os(Linux)
    // Swift does not see it: rename(2).
    typealias Exchange =
      @convention(c) (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt) -> CInt
    guard let call = unsafe dlsym(nil, "renameat2") else { return }
    let exchange = unsafe unsafeBitCast(call, to: Exchange.self)
    let flag: CUnsignedInt = 2
    _ = unsafe exchange(AT_FDCWD, name, AT_FDCWD, other, flag)
  #else
    _ = unsafe renamex_np(name, other, UInt32(RENAME_SWAP))
  #endif
}
