import FlowSystem
import TestKit
import Testing

/// Files that say what a process was doing that is gone.
@Suite struct LifeSignTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path(".") }

  init() throws { folder = try TemporaryFolder() }

  /// Says something as a process does that crashes afterwards.
  private func crash(_ name: String, _ lines: String...) {
    let sign = LifeSign(in: path, named: name)
    for line in lines { sign?.add(line) }
  }

  @Test func `what a process has said is there when it is gone`() throws {
    crash("work", "one", "two")

    #expect(LifeSign.abandoned(in: path, named: "work").map(\.lines) == [["one", "two"]])
    #expect(LifeSign.abandoned(in: path, named: "other").map(\.lines) == [])
  }

  @Test func `nothing is said of a process that lives, or has ended its work`() throws {
    let living = try #require(LifeSign(in: path, named: "work"))
    living.add("here")
    LifeSign(in: path, named: "work")?.remove()

    #expect(LifeSign.abandoned(in: path, named: "work").map(\.lines) == [])
    #expect(try folder.names(in: ".").count == 1)
  }

  @Test func `a torn last line is left out`() throws {
    try folder.write("one\ntw", to: "work-1.running")

    #expect(LifeSign.abandoned(in: path, named: "work").map(\.lines) == [["one"]])
  }

  @Test func `a link is not followed`() throws {
    try folder.write("one\n", to: "file")
    try folder.link("work-1.running", to: folder.path("file"))

    #expect(LifeSign.abandoned(in: path, named: "work").map(\.lines) == [])
  }
}
