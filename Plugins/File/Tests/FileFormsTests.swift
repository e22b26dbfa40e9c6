import FlowCore
import FlowTesting
import Foundation
import TestKit
import Testing

@testable import FilePlugin

/// Permissions, temporary folders, other separators, and files with several values.
@Suite struct FileFormsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open() async throws -> OpenComponent {
    try await OpenComponent(Files.self, in: folder.directory.path)
  }

  // MARK: - Permissions

  @Test func `a file is written with permissions, also in the place of another one`() async throws {
    let files = try await open()

    for (mode, shown) in [("755", "755"), ("0600", "600"), ("000", "000"), ("644", "644")] {
      _ = try await files.call("write", ["path": "in/run", "text": "x", "mode": mode])
      #expect(
        await files.text("info", ["path": "in/run"])
          == #"{kind: "file", size: 1, mode: "\#(shown)"}"#)
    }
    _ = try await files.call("set_mode", ["path": "in/run", "mode": "711"])
    _ = try await files.call("write", ["path": "in/run", "text": "four"])
    #expect(
      await files.text("info", ["path": "in/run"]) == #"{kind: "file", size: 4, mode: "711"}"#)
    _ = try await files.call("set_mode", ["path": "in", "mode": "700"])
    #expect(
      await files.text("info", ["path": "in"]) == #"{kind: "folder", size: 0, mode: "700"}"#)
  }

  @Test(arguments: ["7755", "75", "", "rwx", "798", "-75", "+75", "00755", "７５５"])
  func `other permissions are refused`(_ mode: String) async throws {
    let files = try await open()
    let expected = "malformed: 'mode' must be three octal digits such as '755', not '\(mode)'"

    let answer = await files.text("write", ["path": "new", "text": "", "mode": mode])

    #expect(answer == expected)
    #expect(await files.text("set_mode", ["path": ".", "mode": mode]) == expected)
    #expect(try folder.names == [])
  }

  @Test func `permissions of what is missing or outside are errors`() async throws {
    try folder.link("out", to: "/etc/passwd")
    let files = try await open()

    #expect(
      await files.text("info", ["path": "none"]) == "missing: cannot read 'none': no such file")
    #expect(
      await files.text("set_mode", ["path": "none", "mode": "755"])
        == "missing: cannot write 'none': no such file")
    for operation in ["info", "set_mode"] {
      let input = operation == "info" ? ["path": "out"] : ["path": "out", "mode": "755"]
      #expect(await files.text(operation, input).hasPrefix("forbidden: "))
    }
  }

  // MARK: - Temporary folders

  @Test func `temporary folders differ, and are removed at the end`() async throws {
    let files = try await open()
    var paths: [String] = []
    for _ in 1...2 {
      guard case .record(let answer) = try await files.call("temporary", [:]),
        case .string(let path)? = answer["path"]
      else { continue }
      paths.append(path)
      _ = try await files.call("write", ["path": path + "/deep/file", "text": "x"])
    }
    #expect(Set(paths).count == 2)
    #expect(paths.allSatisfy { $0.hasPrefix(".flow/temporary-") })
    #expect(try folder.text(paths[0] + "/deep/file") == "x")

    await files.close()

    for path in paths { #expect(!folder.directory.contains(path)) }
  }

  @Test func `a folder that a killed run has left is removed by the next run`() async throws {
    let (living, next) = (try await open(), try await open())
    _ = try await living.call("temporary", [:])
    let held = try #require(try folder.directory.entries(of: ".flow").first?.name)
    for name in ["left/deep/file", "young/file", "other"] {
      try folder.write("x", to: ".flow/temporary-" + name)
    }
    try folder.write("x", to: ".flow/kept/file")
    let old = Date(timeIntervalSinceNow: -7_200)
    for path in [".flow/temporary-left", ".flow/temporary-other", ".flow/kept", ".flow/" + held] {
      try FileManager.default.setAttributes(
        [.modificationDate: old], ofItemAtPath: folder.path(path))
    }

    _ = try await next.call("temporary", [:])
    await next.close()

    let names = try folder.directory.entries(of: ".flow").map(\.name)
    #expect(Set(names) == ["kept", "temporary-other", "temporary-young", held])
    await living.close()
  }

  // MARK: - Separators

  @Test(arguments: [
    (";", "id;name\n1;\"a;b\"\n", #"[{id: "1", name: "a;b"}]"#),
    ("\t", "id\tname\n1\ta,b\n", #"[{id: "1", name: "a,b"}]"#),
    ("|", "id|name\n1|\n", #"[{id: "1", name: ""}]"#),
    (",", "id,name\n1,a;b\n", #"[{id: "1", name: "a;b"}]"#),
    (";", "\u{FEFF}id;n\n0,40;Bär\n", #"[{id: "0,40", n: "Bär"}]"#),
  ])
  func `a table has the given separator`(
    _ separator: String, text: String, expected: String
  ) async throws {
    try folder.write(text, to: "a.csv")
    let files = try await open()

    let answer = try await files.call(
      "read", ["path": "a.csv", "as": "csv", "separator": separator])

    #expect("\(answer)".contains("data: \(expected),"))
    guard case .record(let record) = answer, let data = record["data"] else { return }
    _ = try await files.call(
      "write", ["path": "b.csv", "as": "csv", "separator": separator, "data": data])
    let again = try await files.call(
      "read", ["path": "b.csv", "as": "csv", "separator": separator])
    #expect("\(again)".contains("data: \(expected),"))
  }

  @Test(arguments: [
    (["as": "csv", "separator": ";;"], "must be one of , ; | : and a tab or blank, not ';;'"),
    (["as": "csv", "separator": ""], "must be one of , ; | : and a tab or blank, not ''"),
    (["as": "csv", "separator": "\""], "must be one of , ; | : and a tab or blank, not '\"'"),
    (["as": "yaml", "separator": ";"], "needs 'as: csv'"),
  ])
  func `other separators are refused`(_ input: [String: String], expected: String) async throws {
    try folder.write("a: 1", to: "a")
    let files = try await open()
    let message = "malformed: 'separator' \(expected)"

    let written = input.merging(["path": "b"]) { $1 }
      .merging(["data": "x"]) { $1 }

    #expect(await files.text("read", input.merging(["path": "a"]) { $1 }) == message)
    #expect(await files.text("write", written) == message)
    #expect(try folder.names == ["a"])
  }

  // MARK: - Several values

  @Test(arguments: [
    ("yaml_documents", "a: 1\n---\nb: 2\n---\n- x\n", #"[{a: 1}, {b: 2}, ["x"]]"#),
    ("yaml_documents", "", "[]"), ("yaml_documents", "--- 1\n...\n--- 2\n", "[1, 2]"),
    ("jsonl", "{\"a\":1}\n{\"a\":2.50}\n", "[{a: 1}, {a: 2.50}]"),
    ("jsonl", "\u{FEFF}1\r\n\r\n  \n\"x\"", #"[1, "x"]"#), ("jsonl", "", "[]"),
  ])
  func `a file with several values is read as a list`(
    _ format: String, text: String, expected: String
  ) async throws {
    try folder.write(text, to: "a")
    let files = try await open()

    let answer = try await files.call("read", ["path": "a", "as": format])

    #expect("\(answer)".contains("data: \(expected),"))
    guard case .record(let record) = answer, let data = record["data"] else { return }
    _ = try await files.call("write", ["path": "b", "as": format, "data": data])
    let again = try await files.call("read", ["path": "b", "as": format])
    #expect("\(again)".contains("data: \(expected),"))
  }

  @Test func `several values are written one after the other`() async throws {
    let files = try await open()
    let data = Value.list([.map(ValueMap([("a", .int(1))])), .string("x"), .null])

    _ = try await files.call("write", ["path": "a", "as": "yaml_documents", "data": data])
    _ = try await files.call("write", ["path": "b", "as": "jsonl", "data": data])

    #expect(try folder.text("a") == "---\n\"a\": 1\n---\n\"x\"\n---\nnull\n")
    #expect(try folder.text("b") == "{\"a\":1}\n\"x\"\nnull\n")
    #expect(
      await files.text("write", ["path": "c", "as": "jsonl", "data": 1])
        == "malformed: 'as: jsonl' needs a list")
  }

  @Test(arguments: [
    ("yaml_documents", "a: 1\n---\nb: [\n", "malformed: a:3:5: expected a value"),
    ("jsonl", "{}\n[1,\n", "malformed: cannot read 'a': line 2, column 4: "),
    (
      "yaml", "a: 1\n---\nb: 2\n",
      "malformed: a:2:1: expected one document, found a second; "
        + "'as: yaml_documents' reads all of them"
    ),
  ])
  func `a mistake in one of several values is named`(
    _ format: String, text: String, expected: String
  ) async throws {
    try folder.write(text, to: "a")
    let files = try await open()

    #expect(await files.text("read", ["path": "a", "as": format]).hasPrefix(expected))
  }

  @Test func `the rows of lines are a table`() async throws {
    try folder.write("{\"id\": 1}\n{\"id\": 2}\n", to: "a.jsonl")
    let files = try await open()

    let answer = await files.text(
      "read", ["path": "a.jsonl", "as": "jsonl", "columns": ["id": "int"]])

    #expect(answer.contains("data: [{id: 1}, {id: 2}],"))
  }
}
