import TestKit
import Testing

/// Links at the default places of reports, as the author of a project may have left them.
@Suite struct ReportLinkTests {
  private static let files = [
    "html": "flow-report.html", "junit": "flow-junit.xml", "tap": "flow.tap",
    "jsonl": "flow-report.jsonl", "trace": "flow-trace.json", "markdown": "flow-report.md",
  ]

  private let folder: TemporaryFolder
  private let outside: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    outside = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try folder.write("flow: 1\nsteps: [{set: {x: 1}}]\n", to: "s.yaml")
    try outside.write("mine", to: "file")
    try outside.write("mine", to: "folder/file")
  }

  @Test(arguments: files.keys.sorted(), ["file", "nothing"])
  func `a link at the default name is replaced`(_ format: String, _ target: String) throws {
    let name = Self.files[format] ?? ""
    try folder.link(name, to: outside.path(target))
    try folder.link(name + ".part", to: outside.path(target))

    let run = try BuiltFlow("\"$0\" test --update never --report \(format)", in: folder)

    #expect(run.code == 0, "\(run.errors)")
    #expect(try outside.text("file") == "mine")
    #expect(try outside.names(in: ".").sorted() == ["file", "folder"])
    #expect(try BuiltFlow("test ! -L \(name) && test -s \(name)", in: folder).code == 0)
  }

  @Test func `a link that leads to a scenario is replaced as well`() throws {
    try folder.link("flow-junit.xml", to: folder.path("s.yaml"))

    let run = try BuiltFlow("\"$0\" test --update never --report junit", in: folder)

    #expect(run.code == 0, "\(run.errors)")
    #expect(try folder.text("s.yaml") == "flow: 1\nsteps: [{set: {x: 1}}]\n")
    #expect(try folder.text("flow-junit.xml").hasPrefix("<?xml"))
  }

  @Test func `a link that the user names is followed`() throws {
    try folder.link("mine.xml", to: outside.path("file"))

    let run = try BuiltFlow("\"$0\" test --update never --report junit=mine.xml", in: folder)

    #expect(run.code == 0, "\(run.errors)")
    #expect(try outside.text("file").hasPrefix("<?xml"))
    #expect(try BuiltFlow("test -L mine.xml", in: folder).code == 0)
  }

  @Test(arguments: ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
  func `every name of standard output is standard output`(_ path: String) throws {
    let run = try BuiltFlow("\"$0\" test --update never --report junit=\(path) > out", in: folder)

    #expect(run.code == 0, "\(run.errors)")
    let text = try folder.text("out")
    #expect(text.hasPrefix("<?xml") && text.hasSuffix("</testsuites>\n"))
  }

  @Test func `a descriptor of the shell gets the report`() throws {
    let run = try BuiltFlow(
      """
      exec 3> three
      "$0" test --update never --report junit=/dev/fd/3 --report tap=/dev/stderr --quiet
      exec 3>&-
      "$0" test --update never --report junit=/dev/fd/3 --quiet
      """, in: folder)

    #expect(try folder.text("three").hasPrefix("<?xml"))
    #expect(run.errors.contains("TAP version 13\n1..1\nok 1 - s.yaml\n"))
    #expect(run.errors.contains("the report was not written: cannot write '/dev/fd/3': "))
    #expect(run.code == 73)
  }

  @Test func `a transcript in its usual place replaces a link`() throws {
    let step = "{uses: p.run, with: {argv: [echo, hi]}}"
    try folder.write(
      "flow: 1\ncomponents: {p: {plugin: process}}\nsteps: [\(step)]\n", to: "s.yaml")
    for command in ["run s.yaml --record", "test --live --update all"] {
      try folder.link("s.transcript.jsonl", to: outside.path("file"))

      // Under CI a run that records fails.
      let run = try BuiltFlow("CI= \"$0\" \(command)", in: folder)

      #expect(run.code == 0, "\(run.errors)\(run.output)")
      #expect(try outside.text("file") == "mine")
      try folder.remove("s.transcript.jsonl")
    }
  }
}
