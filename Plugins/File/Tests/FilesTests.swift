import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import FilePlugin

@Suite struct FilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: try Scenarios.all(in: "../Scenarios"))
  func `a scenario replays`(_ scenario: ScenarioFile) async throws {
    try await scenario.replay(try Registry([Files.self]))
  }

  @Test func `a file is read in every format`() async throws {
    try folder.write("a: [1, 2.50]\n", to: "a.yaml")
    try folder.write(#"{"a": [1, 2.50]}"#, to: "a.json")
    try folder.write("n,t\n1,x\n", to: "a.csv")
    try folder.write([0xff, 0x00], to: "a.bin")
    try folder.write("\u{FEFF}" + #"{"a": [1, 2.50]}"#, to: "marked.json")
    try folder.write("\u{FEFF}b: \u{FEFF}", to: "marked.txt")
    let files = try await open()
    let data = #"{text: null, data: {a: [1, 2.50]}, bytes: null, size: "#

    #expect(
      await files.read("a.yaml")
        == #"{text: "a: [1, 2.50]\n", data: null, bytes: null, size: 13}"#)
    #expect(await files.read("a.yaml", as: "yaml") == data + "13}")
    #expect(await files.read("a.json", as: "json") == data + "16}")
    #expect(await files.read("marked.json", as: "json") == data + "19}")
    #expect(
      await files.read("marked.txt")
        == #"{text: "b: \u{feff}", data: null, bytes: null, size: 9}"#)
    #expect(await files.read("marked.txt", as: "bytes").contains("bytes: 9 bytes"))
    #expect(
      await files.read("a.csv", as: "csv")
        == #"{text: null, data: [{n: "1", t: "x"}], bytes: null, size: 8}"#)
    #expect(
      await files.read("a.bin", as: "bytes") == "{text: null, data: null, bytes: 2 bytes, size: 2}")
  }

  @Test(arguments: [
    ("none", "text", "missing: cannot read 'none': no such file"),
    ("folder", "text", "not_a_file: cannot read 'folder': not a file"),
    ("../x", "text", "forbidden: cannot read '../x': the path is outside the scenario's folder"),
    ("link", "text", "forbidden: cannot read 'link': the path is outside the scenario's folder"),
    ("large", "text", "too_large: cannot read 'large': too large, more than 67108864 bytes"),
    ("bytes", "text", "malformed: cannot read 'bytes': not UTF-8 text"),
    ("bytes", "csv", "malformed: cannot read 'bytes': not UTF-8 text"),
    ("wide", "text", "malformed: cannot read 'wide': the text is in UTF-16, not UTF-8"),
    ("wide", "csv", "malformed: cannot read 'wide': the text is in UTF-16, not UTF-8"),
    (
      "wide", "json",
      "malformed: cannot read 'wide': line 1, column 1: the text is in UTF-16, not UTF-8"
    ),
    ("wider", "yaml", "malformed: wider:1:1: the text is in UTF-32, not UTF-8"),
    ("wrong", "yaml", "malformed: wrong:1:4: "),
    ("wrong", "json", "malformed: cannot read 'wrong': line 1, column 1: expected a value"),
    (
      "vast", "json",
      "malformed: cannot read 'vast': line 1, column 5: the number is too large for a double"
    ),
    ("wrong", "csv", "malformed: cannot read 'wrong': line 1: a quotation mark inside of a field"),
  ])
  func `what cannot be read has a declared error`(
    _ path: String, format: String, expected: String
  ) async throws {
    try folder.write("", to: "in/folder/file")
    try folder.write([0xff], to: "in/bytes")
    try folder.write([0xfe, 0xff] + "[1]".utf8.flatMap { [0, $0] }, to: "in/wide")
    try folder.write("a: 1".utf8.flatMap { [0, 0, 0, $0] }, to: "in/wider")
    try folder.write(#"a: "b"#, to: "in/wrong")
    try folder.write("[1, 1e400]", to: "in/vast")
    try folder.write([UInt8](repeating: 0, count: 64 << 20 + 1), to: "in/large")
    try folder.write("", to: "x")
    try folder.link("in/link", to: "../x")
    let files = try await open("in")

    #expect(await files.read(path, as: format).hasPrefix(expected))
  }

  @Test func `a file is written in every format, and the folders around it are made`()
    async throws
  {
    let data: Value = .map(
      ValueMap([("a", .list([.int(1), .map(ValueMap([("b", .null)]))])), ("c: d", .string("e\n"))])
    )
    let rows: [Value] = [.map(ValueMap([("n", .int(1)), ("t", .string("x,\"y\""))]))]
    let files = try await open()
    let writes: [(input: [String: any FieldValue], expected: String)] = [
      (["text": "é"], "é"), (["bytes": Bytes([0x61])], "a"),
      (["data": data], "{\"a\":[1,{\"b\":null}],\"c: d\":\"e\\n\"}\n"),
      (["as": "json"], "null\n"), (["data": rows, "as": "csv"], "n,t\r\n1,\"x,\"\"y\"\"\"\r\n"),
      (
        ["data": data, "as": "yaml"],
        "\"a\":\n  - 1\n  -\n    \"b\": null\n\"c: d\": \"e\\n\"\n"
      ),
      (
        [
          "data": Value.list([.double(.nan), .double(-.infinity), .double(.infinity)]),
          "as": "yaml",
        ],
        "- .nan\n- -.inf\n- .inf\n"
      ),
    ]

    for (index, write) in writes.enumerated() {
      let path = "new/\(index)/file"
      let answer = await files.text("write", write.input.merging(["path": path]) { $1 })
      #expect(answer == "{size: \(write.expected.utf8.count)}")
      #expect(try folder.text(path) == write.expected)
    }
    #expect(await files.read("new/5/file", as: "yaml").contains("\(data)"))
  }

  @Test(arguments: [
    ("{}", "malformed: give exactly one of 'text', 'data' and 'bytes'"),
    (#"{"text": "", "data": 1}"#, "malformed: give exactly one of 'text', 'data' and 'bytes'"),
    (#"{"text": "", "as": "json"}"#, "malformed: the content does not fit 'as: json'"),
    (#"{"data": 1, "as": "text"}"#, "malformed: the content does not fit 'as: text'"),
    (
      #"{"data": [1], "as": "csv"}"#,
      "malformed: CSV data must be a list of maps with the same keys, without lists or maps inside"
    ),
    (
      #"{"data": [{"a": 1}, {"b": 1}], "as": "csv"}"#,
      "malformed: CSV data must be a list of maps with the same keys, without lists or maps inside"
    ),
  ])
  func `what a format cannot hold is not written`(_ input: String, expected: String) async throws {
    var input = try [String: Value](decoding: try Value(json: Array(input.utf8)))
    input["path"] = .string("file")

    #expect(await (try open()).text("write", input) == expected)
    #expect(try folder.names == [])
  }

  @Test func `a number that JSON cannot hold is not written`() async throws {
    let rows = Value.list([.map(ValueMap([("net", .list([.int(1), .double(.nan)]))]))])
    let files = try await open()

    #expect(
      await files.text("write", ["path": "a.json", "data": rows])
        == "malformed: cannot write 'a.json': '[0].net[1]' is nan, which JSON cannot hold")
    #expect(
      await files.text("write", ["path": "b", "data": Value.double(.infinity), "as": "json"])
        == "malformed: cannot write 'b': the value is inf, which JSON cannot hold")
    #expect(try folder.names == [])
  }

  @Test func `files are appended to, copied, moved, listed and removed`() async throws {
    let files = try await open()
    let steps: [(operation: String, input: [String: any FieldValue], expected: String)] = [
      ("append", ["path": "log/a", "text": "one"], "{}"),
      ("append", ["path": "log/a", "text": "two"], "{}"),
      ("copy", ["from": "log/a", "to": "log/deep/b"], "{size: 6}"),
      ("list", ["path": "log"], #"{names: ["a", "deep/"]}"#),
      ("list", ["path": "log", "glob": "[!a]*"], #"{names: ["deep/"]}"#),
      ("list", ["path": "none"], "missing: cannot read 'none': no such file"),
      ("move", ["from": "log/deep", "to": "other/deep"], "{}"),
      ("exists", ["path": "log/deep"], "{exists: false}"),
      ("exists", ["path": "other/deep/b"], "{exists: true}"),
      ("wait_for", ["path": "other/deep/b"], "{}"),
      (
        "exists", ["path": ".."],
        "forbidden: cannot read '..': the path is outside the scenario's folder"
      ),
      ("remove", ["path": "other"], "unreadable: cannot remove 'other': directory not empty"),
      ("remove", ["path": "other", "recursive": true], "{}"),
      ("remove", ["path": "other"], "missing: cannot remove 'other': no such file"),
      ("remove", ["path": ".", "recursive": true], "not_a_file: cannot remove '.': not a file"),
      ("move", ["from": "none", "to": "x/y"], "missing: cannot move 'none': no such file"),
      ("write", ["path": "folder/file", "text": ""], "{size: 0}"),
      (
        "move", ["from": "folder", "to": "log/a"],
        "unreadable: cannot write 'log/a': not a folder"
      ),
      ("move", ["from": "log/a", "to": "folder"], "not_a_file: cannot write 'folder': not a file"),
      ("remove", ["path": "folder/", "recursive": true], "{}"),
      (
        "write", ["path": "log/a/b", "text": ""],
        "unreadable: cannot write 'log/a/b': not a folder"
      ),
    ]

    for step in steps { #expect(await files.text(step.operation, step.input) == step.expected) }
    #expect(try folder.text("log/a") == "onetwo")
    #expect(try folder.names == ["log"])
  }

  @Test(arguments: ["inner", "outer", "dangling"])
  func `a link is moved and removed itself, with a slash behind it, too`(_ name: String)
    async throws
  {
    try folder.write("", to: "folder/file")
    try folder.link("inner", to: "folder")
    try folder.link("outer", to: "..")
    try folder.link("dangling", to: "none")
    let files = try await open()
    let slash = name == "dangling" ? "" : "/"

    #expect(await files.text("move", ["from": name + slash, "to": "new/link"]) == "{}")
    #expect(await files.text("move", ["from": "new/link", "to": "moved"]) == "{}")
    #expect(try folder.names.filter { $0 == name } == [])
    #expect(await files.text("remove", ["path": "moved" + slash, "recursive": true]) == "{}")
    #expect(try folder.names.filter { $0 == "moved" } == [])
    #expect(try folder.names(in: "folder") == ["file"])
  }

  @Test func `no folder is made behind a link by way of one that is not there`() async throws {
    try folder.write("", to: "out/file")
    try folder.write("", to: "in/file")
    try folder.link("in/link", to: "../out")
    let files = try await open("in")

    for path in ["new/../link/made/x", "new/../x"] {
      #expect(
        await files.text("write", ["path": path, "text": ""])
          == "forbidden: cannot write '\(path)': the path is outside the scenario's folder")
    }
    #expect(try folder.names(in: "in") == ["file", "link"])
    #expect(try folder.names(in: "out") == ["file"])
  }

  @Test func `YAML reads every scalar and every key that it was written with`() async throws {
    let numbers: [ClosedRange<UInt32>] = [
      0...0xFF, 0x2027...0x202F, 0xFEFE...0xFEFF, 0xFFFD...0x1_0000,
    ]
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: numbers.joined().compactMap(Unicode.Scalar.init))
    let text = String(scalars)
    let keys = [1_022, 1_023, 5_000].map { String(repeating: "\u{10000}", count: $0) } + [text]
    let inner = Value.map(ValueMap(keys.map { ($0, Value.string(text)) }))
    let data = Value.map(ValueMap(keys.map { ($0, Value.list([inner, .int(1)])) }))
    let files = try await open()

    _ = await files.text("write", ["path": "file", "data": data, "as": "yaml"])

    #expect(await files.read("file", as: "yaml").contains("data: \(data), "))
  }

  @Test func `a file is waited for in the run's time`() async throws {
    try folder.write(
      """
      flow: 1
      components: {files: {plugin: file}}
      steps:
        - parallel:
            waiting: [{uses: files.wait_for, with: {path: late}, timeout: 10m}]
            writing: [{wait: 5m}, {uses: files.write, with: {path: late, text: ""}}]
        - uses: files.wait_for
          with: {path: never}
          timeout: 10m
      """, to: "wait.yaml")
    var options = LiveOptions()
    options.isVirtualTime = true

    let run = await (try ScenarioFile(folder.path("wait.yaml"))).attempt(
      try Registry([Files.self]), options: options)

    #expect(run.failures.contains("'files.wait_for#1' did not end within 600s"))
    #expect(run.problems.count == 1)
  }

  private func open(_ path: String = ".") async throws -> OpenComponent {
    try await OpenComponent(Files.self, in: try folder.directory.subdirectory(path).path)
  }
}

extension OpenComponent {
  fileprivate func read(_ path: String, as format: String = "text") async -> String {
    await text("read", ["path": path, "as": format])
  }
}

/// One check at a time: the sample uses one folder.
@Suite(.serialized) struct FilesContractTests {
  @Test(arguments: ComponentCheck.allCases)
  func `files pass the checks of components`(_ check: ComponentCheck) async throws {
    let sample = try ScenarioFile("../Scenarios/places.yaml")

    try await ComponentChecks(Files.self, sample: sample).verify(check)
  }
}

@Suite struct FileFormatTests {
  @Test(arguments: [
    ("", "[]"), ("a,b", "[]"), ("a,b\r\n1,2", #"[{a: "1", b: "2"}]"#),
    ("a\n\n", #"[{a: ""}]"#), ("a,b\n1,2\n\n", #"[{a: "1", b: "2"}]"#), ("a,b\r\n\r\n", "[]"),
    ("\u{FEFF}a,b\n\u{FEFF},\n", #"[{a: "\u{feff}", b: ""}]"#), ("\u{FEFF}", "[]"),
    ("a,b\n\n1,2\n", "line 2: 1 field, and the first row has 2"),
    ("a,b\n\n\n", "line 2: 1 field, and the first row has 2"),
    ("a,b\n\"\"\n", "line 2: 1 field, and the first row has 2"),
    ("a,b\n\"1,\"\"\n2\",é\n", #"[{a: "1,\"\n2", b: "é"}]"#),
    ("a\nx\ry\n", #"[{a: "x\ry"}]"#),
    ("a,a\n", "two columns have the name 'a'"),
    ("a,b\n1,2\n3\n", "line 3: 1 field, and the first row has 2"),
    ("a\n\"x\"y\n", "line 2: a quotation mark inside of a field"),
    ("a\nx\"y\n", "line 2: a quotation mark inside of a field"),
    ("a\n1\n\"x\n", "line 3: the quoted field has no end"),
  ])
  func `a table is read, or its mistake found`(_ text: String, expected: String) {
    let result = Result { () throws(CSVError) in try CSV(reading: text).value }

    switch result {
    case .success(let value): #expect("\(value)" == expected)
    case .failure(let error): #expect("\(error)" == expected)
    }
  }

  @Test func `a table is given up when its task is cancelled`() async {
    let columns = String(repeating: "a,", count: 1_500) + "a\n"
    let texts = ["n\n" + String(repeating: "1\n", count: 3), columns]

    let errors = await Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return texts.map { text in
        Result { () throws(CSVError) in try CSV(reading: text).rows.count }
      }
    }.value

    #expect(errors == [.failure(.cancelled), .failure(.cancelled)])
  }

  // Each place is counted from the one before; the row goes on behind line ends in its names.
  @Test func `the place of each name is known`() throws {
    let csv = try CSV(reading: "é,\"x\n\ny\",ßß,\"z\n\"\n")

    #expect(
      (csv.places).map { "\($0.line):\($0.column)" } == ["1:1", "1:3", "3:4", "3:7", "4:2"])
  }

  @Test func `a written table reads the same`() throws {
    let value = try CSV(reading: "a,b\r\n\"x\ny\",\"\"\"\"\r\n,\" \"\r\n").value

    #expect(try CSV(reading: CSV(value).text()).value == value)
  }

  @Test(arguments: [
    ("*", "", true), ("*", "a", true), ("a*", "ba", false), ("*.txt", "a.txt", true),
    ("*.txt", "a.txtx", false), ("?", "é", true), ("?", "", false), ("[a-c]x", "bx", true),
    ("[!a-c]x", "bx", false), ("[]]", "]", true), ("[", "[", true), ("a**b*", "axxb", true),
    ("*a*a*a*a*a*b", String(repeating: "a", count: 5_000), false), ("", "", true), ("", "a", false),
    ("*.{c,h}", "x.h", true), ("*.{c,h}", "x.cpp", false), ("{a,b{1,2}}-{x,}", "b2-", true),
    ("{a,b{1,2}}-{x,}", "b-x", false), ("{a}", "{a}", true), ("{a}", "a", false),
    ("{,a", "{,a", true), ("a}b", "a}b", true), ("{[ab],?z}", "qz", true),
  ])
  func `a pattern matches whole names`(_ pattern: String, name: String, expected: Bool) throws {
    #expect(try Glob(pattern).matches(name) == expected)
  }

  @Test(arguments: [
    (
      "*/*.md",
      "'glob' matches names in one folder and cannot contain '/'; give the folder in 'path'"
    ),
    (
      "**/x", "'glob' matches names in one folder and cannot contain '/'; give the folder in 'path'"
    ),
    (String(repeating: "{a,b}", count: 20), "'glob' expands to more than 100 patterns"),
    (
      "{" + String(repeating: ",", count: 100_000) + "}", "'glob' expands to more than 100 patterns"
    ),
  ])
  func `a pattern that no name can have is refused`(_ pattern: String, expected: String) {
    #expect(throws: FileProblem.unfit(expected)) { try Glob(pattern) }
  }
}
