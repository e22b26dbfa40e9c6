import FlowSystem
import Foundation
import Synchronization
import TestKit
import Testing

@testable import FlowDatabase

/// Journals in a database, as one process or several write them.
@Suite(.enabled(if: DatabaseServer.isHere, Comment(rawValue: DatabaseServer.absence)))
struct DatabaseJournalTests {
  private let address: DatabaseAddress

  init() async throws {
    let url = try await DatabaseServer.shared().url()
    address = try #require(try DatabaseAddress(url + "#" + UUID().uuidString))
  }

  /// That of the three bytes of a body.
  private static let digest = SHA256([0, 255, 10]).hexadecimal

  private static func line(_ text: String) -> [UInt8] { Array((text + "\n").utf8) }

  private func lines() throws -> String {
    String(decoding: try DatabaseJournal.content(of: address).lines, as: UTF8.self)
  }

  private func error(_ reason: String, isWriting: Bool = true) -> String {
    "cannot \(isWriting ? "write" : "read") '\(address.description)': \(reason)"
  }

  @Test func `what was appended is there, in its order, with the bodies`() throws {
    let journal = try DatabaseJournal.begin(at: address, mayExist: false)
    try journal.append(Self.line(#"{"a":"é"}"#))
    try journal.append(Self.line("{}"))
    try journal.keep([0, 255, 10], digest: Self.digest, isPrivate: true)
    try journal.reachDisk()
    try journal.append(Self.line("[]"))
    try journal.release()

    let content = try DatabaseJournal.content(of: address)

    #expect(content.lines == Array("{\"a\":\"é\"}\n{}\n[]\n".utf8))
    #expect(content.lineCount == 3)
    #expect(content.bodies == [Self.digest: [0, 255, 10]])
  }

  @Test(arguments: ["../../elsewhere", "d", ""])
  func `a body that does not match its name is refused, which may become that of a file`(
    _ name: String
  ) throws {
    let journal = try DatabaseJournal.begin(at: address, mayExist: false)
    try journal.keep([0, 255, 10], digest: name, isPrivate: true)
    try journal.release()

    let refused = #expect(throws: FileError.self) { try DatabaseJournal.content(of: address) }

    #expect(refused?.description == error("a body does not match its name", isWriting: false))
  }

  @Test func `what a server says is one line that a terminal shows as it is`() throws {
    let connection = try DatabaseConnection(address.url)

    let refused = #expect(throws: DatabaseError.self) {
      try connection.run("do $$ begin raise exception E'one\\n\\ttwo \\x1b[31m' ; end $$")
    }

    #expect(refused?.description == #"one; two \u{1b}[31m"#)
  }

  @Test func `a line for which nobody waits is there in a moment`() async throws {
    let journal = try DatabaseJournal.begin(at: address, mayExist: false)
    try journal.append(Self.line("{}"))

    while try lines().isEmpty { await Task.yield() }

    #expect(try lines() == "{}\n")
  }

  @Test func `a journal is begun once, and again only where no line is in it`() throws {
    let first = try DatabaseJournal.begin(at: address, mayExist: false)

    #expect(throws: Never.self) { try DatabaseJournal.begin(at: address, mayExist: true).release() }
    let refused = #expect(throws: FileError.self) {
      try DatabaseJournal.begin(at: address, mayExist: false)
    }
    #expect(refused?.description == error("it already exists; resume it or remove it"))
    #expect(try !DatabaseJournal.isBegun(address))
    // The one that has come last may write, and no other.
    try first.append(Self.line("{}"))
    #expect(throws: FileError.self) { try first.reachDisk() }
    let (last, _) = try DatabaseJournal.takeOver(address)
    try last.append(Self.line("{}"))
    try last.reachDisk()
    #expect(try DatabaseJournal.isBegun(address))
    let begun = #expect(throws: FileError.self) {
      try DatabaseJournal.begin(at: address, mayExist: true)
    }
    #expect(begun?.description == error("another process has started to write it"))
    #expect(begun?.isTemporary == true)
    // Who was refused has taken nothing from the one that goes on.
    try last.append(Self.line("[]"))
    try last.release()
    #expect(try lines() == "{}\n[]\n")
  }

  @Test func `who was taken over writes nothing more`() throws {
    let first = try DatabaseJournal.begin(at: address, mayExist: false)
    try first.append(Self.line("1"))
    try first.reachDisk()

    let (second, content) = try DatabaseJournal.takeOver(address)
    try second.append(Self.line("2"))
    try second.reachDisk()
    try first.append(Self.line("late"))
    let late = #expect(throws: FileError.self) { try first.reachDisk() }
    let body = #expect(throws: FileError.self) {
      try first.keep([1], digest: "late", isPrivate: false)
    }
    try second.append(Self.line("3"))
    try second.release()

    #expect(content.lines == Self.line("1"))
    #expect(
      late?.description == error("another process has taken over the run and continues it"))
    #expect(late?.isTemporary == true)
    #expect(body == late)
    #expect(try lines() == "1\n2\n3\n")
    #expect(try DatabaseJournal.content(of: address).bodies.isEmpty)
  }

  @Test func `threads that wait share what is sent, and no line is lost`() async throws {
    let journal = try DatabaseJournal.begin(at: address, mayExist: false)

    await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for number in 0..<50 {
            try journal.append(Self.line("[\(thread),\(number)]"))
            try journal.reachDisk()
          }
        }
      }
    }
    try journal.release()

    let written = try lines().split(separator: "\n").map(String.init)
    #expect(written.count == 400)
    for thread in 0..<8 {
      #expect(
        written.filter { $0.hasPrefix("[\(thread),") } == (0..<50).map { "[\(thread),\($0)]" })
    }
  }

  @Test func `a lost connection is made again`() throws {
    let journal = try DatabaseJournal.begin(at: address, mayExist: false)
    try journal.append(Self.line("1"))
    try journal.reachDisk()
    let other = try DatabaseConnection(address.url)
    // The last who wrote to this journal.
    try other.run(
      """
      select pg_terminate_backend(pid, 10000) from pg_stat_activity
      where query like 'with held%' and pid <> pg_backend_pid()
      """)

    try journal.append(Self.line("2"))
    try journal.reachDisk()

    #expect(try lines() == "1\n2\n")
  }

  @Test func `a journal that is not there, or lacks a line, is one clear error`() throws {
    let missing = #expect(throws: FileError.self) { try DatabaseJournal.takeOver(address) }
    #expect(missing?.description == error("there is no such journal", isWriting: false))

    let journal = try DatabaseJournal.begin(at: address, mayExist: false)
    for line in ["1", "2", "3"] { try journal.append(Self.line(line)) }
    try journal.release()
    let connection = try DatabaseConnection(address.url)
    try connection.run(
      "delete from flow_journal_lines where journal = $1 and number = 2",
      [.text(address.name ?? "")])
    let damaged = #expect(throws: FileError.self) { try DatabaseJournal.content(of: address) }
    #expect(damaged?.description == error("its line 2 is missing", isWriting: false))
  }

  @Test func `a server that is not there is an error without the password`() throws {
    let nowhere = try #require(try DatabaseAddress("postgres://u:geheim@127.0.0.1:1/flow#a"))

    let refused = #expect(throws: FileError.self) {
      try DatabaseJournal.begin(at: nowhere, mayExist: false)
    }

    #expect(
      refused?.description.hasPrefix("cannot write 'postgres://u@127.0.0.1:1/flow#a': ") == true)
    #expect(refused?.description.contains("geheim") == false)
  }

  @Test func `journals are listed, and removed unless they were taken over meanwhile`() throws {
    let journal = try DatabaseJournal.begin(at: address, mayExist: false)
    try journal.append(Self.line("first"))
    try journal.append(Self.line("last"))
    try journal.release()
    let database = try JournalDatabase(address)
    let entry = { () throws in
      try database.journals().first { $0.name == address.name }
    }
    let listed = try #require(try entry())

    #expect(listed.header == Array("first".utf8))
    #expect(listed.last == Array("last".utf8))
    #expect(listed.lineCount == 2)
    try DatabaseJournal.takeOver(address).journal.release()
    #expect(try !database.remove(listed))
    #expect(try database.remove(try #require(try entry())))
    #expect(try entry() == nil)
  }

  @Test func `who wrote a journal that was removed writes nothing into a new one`() throws {
    let first = try DatabaseJournal.begin(at: address, mayExist: false)
    try first.append(Self.line("1"))
    try first.reachDisk()
    let database = try JournalDatabase(address)
    let entry = try database.journals().first { $0.name == address.name }
    #expect(try database.remove(try #require(entry)))

    try first.append(Self.line("2"))
    let removed = #expect(throws: FileError.self) { try first.reachDisk() }
    let new = try DatabaseJournal.begin(at: address, mayExist: false)
    try new.append(Self.line("new"))
    try new.reachDisk()
    let again = #expect(throws: FileError.self) {
      try first.keep([1], digest: SHA256([1]).hexadecimal, isPrivate: false)
    }

    #expect(removed?.description == error("it was removed from the database during the run"))
    #expect(removed?.isTemporary == false)
    #expect(again == removed)
    #expect(try lines() == "new\n")
  }

  @Test func `a journal whose first line is being written is taken from nobody`() throws {
    let first = try DatabaseJournal.begin(at: address, mayExist: false)
    // As the process does that has it, but for the end of the statement.
    let writer = try DatabaseConnection(address.url)
    let name = address.name ?? ""
    try writer.run("begin")
    try writer.run("select from flow_journals where name = $1 for share", [.text(name)])
    try writer.run(
      "insert into flow_journal_lines (journal, number, line) values ($1, 1, '{}')", [.text(name)])

    // On a thread: a task may wait longer for its turn than a journal for its server.
    let refused = Mutex("")
    let hasEnded = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [address] in
      do { _ = try DatabaseJournal.begin(at: address, mayExist: true) } catch {
        refused.withLock { $0 = "\(error)" }
      }
      hasEnded.signal()
    }
    // Only the one that this writer blocks: other tests wait for locks in the same server.
    let process = try #require(try writer.run("select pg_backend_pid()").first?[0])
    let watcher = try DatabaseConnection(address.url)
    while try watcher.run(
      "select from pg_stat_activity where $1::int = any(pg_blocking_pids(pid))", [.text(process)]
    ).isEmpty {}
    try writer.run("commit")
    hasEnded.wait()

    #expect(refused.withLock { $0 } == error("another process has started to write it"))
    try first.keep([1], digest: SHA256([1]).hexadecimal, isPrivate: false)
    try first.release()
    #expect(try lines() == "{}\n")
  }

  @Test func `a line that is there is kept, and another one in its place is an error`() throws {
    let journal = try DatabaseJournal.begin(at: address, mayExist: false)
    let connection = try DatabaseConnection(address.url)
    // As when the answer to the statement was lost.
    let insertion = "insert into flow_journal_lines (journal, number, line) values ($1, $2, $3)"
    try connection.run(insertion, [.text(address.name ?? ""), .text("1"), .text("1")])

    for line in ["1", "2"] {
      try journal.append(Self.line(line))
      try journal.reachDisk()
    }
    try connection.run(insertion, [.text(address.name ?? ""), .text("3"), .text("other")])
    try journal.append(Self.line("3"))
    let refused = #expect(throws: FileError.self) { try journal.reachDisk() }

    #expect(refused?.description == error("another process has written this line"))
    #expect(try lines() == "1\n2\nother\n")
  }

  @Test func `who only reads makes no tables`() async throws {
    let name = "flow_\(UUID().uuidString.prefix(8).lowercased())"
    try DatabaseConnection(address.url).run("create database \(name)")
    let url = address.url.replacing("/postgres", with: "/\(name)")
    let empty = try #require(try DatabaseAddress(url + "#a"))

    #expect(try JournalDatabase(empty).journals().isEmpty)
    #expect(try !DatabaseJournal.isBegun(empty))
    let missing = FileError(
      .unreadable, path: empty.description, reason: "there is no such journal")
    #expect(throws: missing) { try DatabaseJournal.content(of: empty) }
    #expect(throws: missing) { try DatabaseJournal.takeOver(empty) }
    let tables = try DatabaseConnection(url).run("select to_regclass('flow_journals')")
    #expect(tables.first?[0] == nil)
  }

  @Test func `a server that says nothing is not waited for for ever`() throws {
    let connection = try DatabaseConnection(address.url, patience: 1)

    let refused = #expect(throws: DatabaseError.self) { try connection.run("select pg_sleep(600)") }

    #expect(refused?.description == "the server has not responded for 1 s")
    #expect(refused?.isLost == true)
  }

  @Test(arguments: ["copy (select 1) to stdout", "copy pg_class from stdin"])
  func `a server that asks for data ends the connection`(_ sql: String) throws {
    let connection = try DatabaseConnection(address.url)

    let refused = #expect(throws: DatabaseError.self) { try connection.run(sql) }

    #expect(refused?.isLost == true)
  }

  @Test func `a column that a server has not sent is none`() {
    #expect(DatabaseConnection.Row(columns: [])[0] == nil)
    #expect(DatabaseConnection.Row(columns: [nil, [0x61]])[1] == "a")
  }
}
