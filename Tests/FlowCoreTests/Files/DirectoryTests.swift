import FlowCore
import FlowSystem
import TestKit
import Testing

struct DirectoryTests {
  private let folder: TemporaryFolder
  /// The folder that paths must stay in, one below the test's own.
  private let directory: Directory

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("inside", to: "root/a.txt")
    try folder.write("deep", to: "root/sub/b.txt")
    try folder.write("outside", to: "secret.txt")
    try folder.link("root/out", to: "../secret.txt")
    try folder.link("root/up", to: "..")
    try folder.link("root/absolute", to: folder.directory.path + "/secret.txt")
    try folder.link("root/dangling", to: "../none.txt")
    try folder.link("root/alias", to: "sub")
    try folder.link("root/loop", to: "loop")
    directory = Directory(folder.directory.path + "/root")
  }

  @Test(arguments: [
    TextRow("a.txt", "a.txt"), TextRow("./sub/../a.txt", "a.txt"),
    TextRow("alias//b.txt", "sub/b.txt"),
    TextRow("out", "cannot read 'out': the path is outside the scenario's folder"),
    TextRow("none.txt", "cannot read 'none.txt': no such file"),
    TextRow("", "cannot read '': not a file"),
  ])
  func `a file has one location`(_ row: TextRow<String>) {
    #expect(text { try directory.location(of: row.text) } == row.expected)
  }

  @Test(arguments: [
    TextRow("a.txt", "/a.txt"), TextRow("alias/b.txt", "/sub/b.txt"), TextRow("new", "/new"),
    TextRow("alias/./new", "/sub/new"),
    TextRow("out", "cannot read 'out': the path is outside the scenario's folder"),
    TextRow("up/new", "cannot read 'up/new': the path is outside the scenario's folder"),
    TextRow("dangling", "cannot read 'dangling': the path is outside the scenario's folder"),
    TextRow("loop", "cannot read 'loop': the path is outside the scenario's folder"),
    TextRow("none/new", "cannot write 'none/new': there is no folder 'none'"),
    TextRow("sub", "cannot read 'sub': not a file"),
  ])
  func `a library gets the full path of a file that stays inside`(_ row: TextRow<String>) {
    let root = directory.path
    let answer = text { try directory.fullPath(of: row.text) }

    #expect(answer == (row.expected.hasPrefix("/") ? root + row.expected : row.expected))
  }

  private func read(_ path: String) -> String {
    text { String(decoding: try directory.read(path), as: UTF8.self) }
  }

  @Test(arguments: [
    TextRow("a.txt", "inside"), TextRow("sub/b.txt", "deep"), TextRow("./a.txt", "inside"),
    TextRow("sub/../a.txt", "inside"), TextRow("sub//b.txt", "deep"),
    TextRow("alias/b.txt", "deep"),
    TextRow("alias/../a.txt", "inside"),
  ])
  func `a file inside is read`(_ row: TextRow<String>) {
    #expect(read(row.text) == row.expected)
  }

  @Test(arguments: [
    "..", "../secret.txt", "sub/../../secret.txt", "./../root/a.txt", "/etc/passwd", "/", "a.txt\0",
    "\0", "out", "up/secret.txt", "absolute", "up/none.txt", "../\u{301}none.txt",
    "/\u{301}none.txt",
    "sub/../../\u{301}/../secret.txt",
  ])
  func `a path that leads out is forbidden`(_ path: String) {
    #expect(
      read(path)
        == "cannot read '\(path.escaped)': the path is outside the scenario's folder")
    #expect(text { try directory.subdirectory(path) } == read(path))
    #expect(!directory.contains(path))
  }

  @Test(arguments: [
    TextRow("none.txt", "no such file"), TextRow("sub/none.txt", "no such file"),
    TextRow("none/none.txt", "no such file"), TextRow("a.txt/b", "no such file"),
    TextRow("dangling", "no such file, the target of the link does not exist"),
    TextRow("sub", "not a file"),
    TextRow("", "not a file"),
    TextRow(".", "not a file"), TextRow("loop", "too many levels of symbolic links"),
  ])
  func `what cannot be read is told by the path as it was asked for`(_ row: TextRow<String>) {
    #expect(read(row.text) == "cannot read '\(row.text)': \(row.expected)")
  }

  @Test(.timeLimit(.minutes(30)))
  func `a pipe is refused at once, though nobody writes to it`() throws {
    try folder.makePipe("root/pipe")

    #expect(read("pipe") == "cannot read 'pipe': not a file")
  }

  @Test
  func `a file is read up to the limit`() throws {
    #expect(try directory.read("a.txt", limit: 6) == Array("inside".utf8))
    #expect(
      text { try directory.read("a.txt", limit: 5) }
        == "cannot read 'a.txt': too large, more than 5 bytes")
  }

  @Test
  func `a folder that does not exist holds nothing`() {
    let missing = Directory(folder.directory.path + "/none")

    #expect(text { try missing.read("a.txt") } == "cannot read 'a.txt': no such file")
    #expect(!missing.contains("a.txt"))
  }

  @Test(arguments: [
    TextRow("a.txt", true), TextRow("sub", true), TextRow("", true), TextRow("none", false),
    TextRow("dangling", false),
  ])
  func `a folder knows what it contains`(_ row: TextRow<Bool>) {
    #expect(directory.contains(row.text) == row.expected)
  }

  @Test
  func `a subdirectory is left by no path either`() throws {
    let sub = try directory.subdirectory("sub")

    #expect(try sub.read("b.txt") == Array("deep".utf8))
    #expect(
      text { try sub.read("../a.txt") }
        == "cannot read '../a.txt': the path is outside the scenario's folder")
  }

  @Test
  func `a subdirectory must be a folder`() {
    #expect(text { try directory.subdirectory("none") } == "cannot read 'none': no such file")
    #expect(text { try directory.subdirectory("a.txt") } == "cannot read 'a.txt': not a file")
  }

  @Test
  func `a file is written and replaced`() throws {
    try directory.write(Array("new".utf8), to: "sub/c.txt")
    try directory.write(Array("replaced".utf8), to: "a.txt")

    #expect(read("sub/c.txt") == "new")
    #expect(read("a.txt") == "replaced")
    #expect(try folder.names == ["root", "secret.txt"])
  }

  @Test
  func `a file that is written piece by piece is there when it is complete`() throws {
    let output = try directory.output(at: "a.txt")
    try output.append(Array("new ".utf8))
    try output.append(Array("text".utf8))
    let before = read("a.txt")
    try output.commit()

    #expect([before, read("a.txt")] == ["inside", "new text"])
  }

  @Test
  func `a file that is given up leaves nothing`() throws {
    do { try directory.output(at: "sub/new").append(Array("lost".utf8)) }

    #expect(try directory.entries(of: "sub").map(\.name) == ["b.txt"])
    #expect(
      text { try directory.output(at: "../c.txt") }
        == "cannot write '../c.txt': the path is outside the scenario's folder")
    #expect(text { try directory.output(at: "sub") } == "cannot write 'sub': not a file")
    #expect(
      text { try directory.output(at: "none/c.txt") }
        == "cannot write 'none/c.txt': there is no folder 'none'")
  }

  @Test
  func `writing to a link that leads nowhere replaces the link`() throws {
    try directory.write(Array("new".utf8), to: "dangling")

    #expect(read("dangling") == "new")
    #expect(try folder.names == ["root", "secret.txt"])
  }

  @Test
  func `writing to a link writes what it leads to`() throws {
    try folder.link("root/short", to: "sub/b.txt")

    try directory.write(Array("new".utf8), to: "short")
    try directory.write(Array("newer".utf8), to: "sub/b.txt")

    #expect(read("short") == "newer")
  }

  @Test(arguments: ["../c.txt", "/tmp/c.txt", "out", "up/c.txt", "c\0", "../\u{301}c.txt"])
  func `nothing is written outside`(_ path: String) throws {
    #expect(
      text { try directory.write([1], to: path) }
        == "cannot write '\(path.escaped)': the path is outside the scenario's folder")
    #expect(try folder.names == ["root", "secret.txt"])
    #expect(try folder.text("secret.txt") == "outside")
  }

  @Test(arguments: [
    TextRow("none/c.txt", "there is no folder 'none'"),
    TextRow("a.txt/c.txt", "there is no folder 'a.txt'"),
    TextRow("sub", "not a file"),
  ])
  func `what cannot be written is told by the path as it was asked for`(_ row: TextRow<String>) {
    #expect(
      text { try directory.write([1], to: row.text) }
        == "cannot write '\(row.text)': \(row.expected)")
  }

  @Test
  func `bytes are appended to a file, which is made where there is none`() throws {
    try directory.append(Array(" and out".utf8), to: "a.txt")
    try directory.append(Array("one".utf8), to: "alias/new.txt")
    try directory.append(Array("two".utf8), to: "sub/new.txt")

    #expect(read("a.txt") == "inside and out")
    #expect(read("sub/new.txt") == "onetwo")
  }

  @Test
  func `folders are made with those around them`() throws {
    try directory.makeFolder("one/two/three")
    try directory.makeFolder("one/two")
    try directory.makeFolder("sub/../four/")

    #expect(try directory.kind(of: "one/two/three") == .folder)
    #expect(try directory.kind(of: "four") == .folder)
    #expect(
      text { try directory.makeFolder("a.txt/b") }
        == "cannot write 'a.txt/b': not a folder")
    #expect(text { try directory.makeFolder("dangling/b") }.hasPrefix("cannot write 'dangling/b'"))
    #expect(try folder.names == ["root", "secret.txt"])
  }

  @Test
  func `files and folders are moved and removed, and links are not followed`() throws {
    try directory.move("a.txt", to: "sub/b.txt")
    try directory.move("sub", to: "moved")

    #expect(read("moved/b.txt") == "inside")
    #expect(
      text { try directory.remove("moved") } == "cannot remove 'moved': directory not empty")
    try folder.link("root/moved/link", to: "../../secret.txt")
    try directory.remove("moved", recursively: true)
    try directory.remove("dangling")
    #expect(try directory.kind(of: "moved") == nil)
    #expect(try folder.names(in: "root") == ["absolute", "alias", "loop", "out", "up"])
    #expect(try folder.text("secret.txt") == "outside")
  }

  @Test
  func `the folder itself is neither moved nor removed, and nothing is what is not there`() {
    for path in [".", "", "sub/..", "sub/../.", "alias/.."] {
      #expect(
        text { try directory.remove(path, recursively: true) }
          == "cannot remove '\(path)': not a file")
      #expect(text { try directory.move(path, to: "x") } == "cannot move '\(path)': not a file")
    }
    #expect(text { try directory.remove("none") } == "cannot remove 'none': no such file")
    #expect(text { try directory.move("none", to: "x") } == "cannot move 'none': no such file")
    #expect(
      text { try directory.move("a.txt", to: "none/x") }
        == "cannot write 'none/x': there is no folder 'none'")
  }

  @Test(arguments: ["out", "up", "absolute", "dangling", "loop", "whole", "alias", "up/", "up//./"])
  func `a link is moved and removed, wherever it leads`(_ path: String) throws {
    try folder.link("root/whole", to: ".")

    try directory.move(path, to: "sub/link")
    try directory.move("sub/link", to: "link")
    #expect(try folder.names(in: "root").contains("link"))
    try directory.remove(path == "up/" ? "link/" : "link", recursively: true)

    let names = ["a.txt", "absolute", "alias", "dangling", "loop", "out", "sub", "up", "whole"]
    #expect(try folder.names(in: "root") == names.filter { !path.hasPrefix($0) })
    #expect(try folder.names(in: "root/sub") == ["b.txt"])
    #expect(try folder.names == ["root", "secret.txt"])
    #expect(try folder.text("secret.txt") == "outside")
  }

  @Test(arguments: [
    "..", "../c.txt", "/tmp/c.txt", "up/c.txt", "c\0", "up/..", "up/../.", "up/root", "out/x",
  ])
  func `nothing is moved away or removed outside`(_ path: String) throws {
    let problem = "'\(path.escaped)': the path is outside the scenario's folder"

    #expect(text { try directory.move(path, to: "x") } == "cannot move " + problem)
    #expect(text { try directory.remove(path, recursively: true) } == "cannot remove " + problem)
    #expect(try folder.names == ["root", "secret.txt"])
    #expect(try folder.text("secret.txt") == "outside")
  }

  @Test(arguments: ["..", "../c.txt", "/tmp/c.txt", "out", "up/c.txt", "c\0"])
  func `nothing is changed outside`(_ path: String) throws {
    let problem = "'\(path.escaped)': the path is outside the scenario's folder"

    #expect(text { try directory.append([1], to: path) } == "cannot write " + problem)
    #expect(text { try directory.makeFolder(path) } == "cannot write " + problem)
    #expect(text { try directory.move("a.txt", to: path) } == "cannot write " + problem)
    #expect(text { try directory.kind(of: path) } == "cannot read " + problem)
    #expect(text { try directory.entries(of: path) } == "cannot read " + problem)
    #expect(try folder.names == ["root", "secret.txt"])
    #expect(try folder.text("secret.txt") == "outside")
  }

  @Test
  func `appending to a link that leads nowhere makes no file there`() throws {
    #expect(text { try directory.append([1], to: "dangling") }.hasPrefix("cannot write 'dangling'"))
    #expect(try folder.names == ["root", "secret.txt"])
  }

  @Test
  func `what is in a folder is listed in the order of bytes`() throws {
    try folder.write("", to: "root/sub/B.txt")
    try folder.write("", to: "root/sub/inner/x")
    try folder.link("root/sub/lost", to: "none")

    let entries = try directory.entries(of: "alias").map { "\($0.name) \($0.kind)" }

    #expect(entries == ["B.txt file", "b.txt file", "inner folder", "lost other"])
    #expect(text { try directory.entries(of: "none") } == "cannot read 'none': no such file")
    #expect(text { try directory.entries(of: "a.txt") } == "cannot read 'a.txt': not a folder")
  }

  #if os(Linux)
    @Test
    func `folders of other scalars are other folders`() throws {
      try folder.write("a", to: "caf\u{e9}/a.txt")
      try folder.write("b", to: "cafe\u{301}/b.txt")
      try folder.link("caf\u{e9}/out", to: "../cafe\u{301}")

      #expect(
        text { try Directory(folder.directory.path + "/caf\u{e9}").read("out/b.txt") }
          == "cannot read 'out/b.txt': the path is outside the scenario's folder")
    }
  #endif

  @Test(arguments: [
    Row("missing", FileError(.missing, path: "a"), "cannot read 'a': no such file"),
    Row(
      "forbidden", FileError(.forbidden, path: "a"),
      "cannot read 'a': the path is outside the scenario's folder"),
    Row("no file", FileError(.notAFile, path: "a"), "cannot read 'a': not a file"),
    Row("too large", FileError(.tooLarge, path: "a"), "cannot read 'a': too large"),
    Row(
      "too large, and how", FileError(.tooLarge, path: "a", reason: "more than 5 bytes"),
      "cannot read 'a': too large, more than 5 bytes"),
    Row("refused", FileError(.unreadable, path: "a", reason: "no"), "cannot read 'a': no"),
    Row(
      "writing", FileError(.unreadable, path: "a", reason: "no", isWriting: true),
      "cannot write 'a': no"),
    Row(
      "a hostile path", FileError(.missing, path: "\u{1b}[2J"),
      "cannot read '\\u{1b}[2J': no such file"),
  ])
  func `an error names the path and the reason`(_ row: Row<FileError, String>) {
    #expect(row.input.description == row.expected)
  }

  @Test func `in a project paths cannot leave the project`() throws {
    let folder = try TemporaryFolder()
    for path in ["outside.txt", "p/a.txt", "p/tests/deep/b.txt"] { try folder.write("x", to: path) }
    try folder.link("p/tests/out", to: "../../outside.txt")
    try folder.link("p/tests/in", to: "../a.txt")
    let project = try #require(FileSystem.realPath(folder.path("p")))
    let directory = Directory(folder.path("p/tests"), inside: project)
    let leadsOut = "the path is outside the project's folder"
    func read(_ path: String, in directory: Directory) -> String {
      do { return String(decoding: try directory.read(path), as: UTF8.self) } catch {
        return error.reason
      }
    }
    func remove(_ path: String) -> FileError.Kind? {
      do { try directory.remove(path, recursively: true) } catch { return error.kind }
      return nil
    }

    #expect(read("../a.txt", in: directory) == "x")
    #expect(read("in", in: directory) == "x")
    #expect(read("deep/../../a.txt", in: directory) == "x")
    for path in ["../../outside.txt", "../../p/a.txt", "out", "../../../x", project + "/a.txt"] {
      #expect(read(path, in: directory) == leadsOut, "\(path)")
    }
    #expect([remove("."), remove(".."), remove("../.")] == [.notAFile, .notAFile, .notAFile])
    #expect(read("../../a.txt", in: try directory.sibling("deep")) == "x")
    #expect(read("../../../outside.txt", in: try directory.sibling("deep")) == leadsOut)
    #expect(throws: FileError.self) { try directory.subdirectory("deep").read("../../a.txt") }
    // One that is not in the project is bounded by itself.
    #expect(throws: FileError.self) {
      try Directory(folder.path("p"), inside: project + "/tests").read("../outside.txt")
    }
  }
}
