import FlowCore
import FlowTesting
import TestKit
import Testing

@Suite struct ScenarioFileTests {
  @Test func `a relative path begins at the folder of the test's file`() throws {
    let shop = try ScenarioFile("../../../Scenarios/shop.yaml")

    #expect(shop.path.hasSuffix("/Scenarios/shop.yaml"))
    #expect(!shop.path.contains(".."))
    #expect(shop.name == "../../../Scenarios/shop.yaml")
    #expect(shop.transcript.hasSuffix("/Scenarios/shop.transcript.jsonl"))
  }

  @Test(arguments: ["none.yaml", "../Support"])
  func `a scenario that is no file is an error with the path`(_ path: String) {
    let error = #expect(throws: ScenarioFileError.self) {
      try ScenarioFile(path, from: #filePath)
    }

    let folder = #filePath.split(separator: "/").dropLast(path == "none.yaml" ? 1 : 2)
    let full = "/" + folder.joined(separator: "/") + "/" + path.trimmingPrefix("../")
    #expect(error == .missingScenario(full))
    #expect(
      error?.description
        == "there is no scenario at '\(full)'; a relative path starts at the folder of the test's file"
    )
  }

  @Test func `a folder has the scenarios in it and below it, by path`() throws {
    let folder = try TemporaryFolder()
    let scenario = "flow: 1\nsteps: []\n"
    for name in ["b.yaml", "a.yml", "in/c.yaml", ".hidden/d.yaml", "out/e.yaml"] {
      try folder.write(scenario, to: name)
    }
    try folder.write("key: value\n", to: "data.yaml")
    try folder.write("flow: 1\n", to: "in/flow.yaml")

    let found = try Scenarios.all(in: folder.directory.path, excluding: ["out/"])

    #expect(found.map(\.name) == ["a.yml", "b.yaml", "in/c.yaml"])
  }

  @Test func `a scenario that has lost its form or its file is still a case of the test`() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b", "c", "d", "e"] { try folder.write("", to: name + ".transcript.jsonl") }
    try folder.write("flow: 1\nstesp: []\n", to: "a.yaml")
    try folder.write("a: [\n", to: "b.yml")
    try folder.link("c.yaml", to: "nowhere")
    try folder.write("flow: 1\nsteps: []\n", to: "in/e.yaml")
    try folder.write(
      #"{"transcript":1,"scenario":"in/e.yaml","digest":"sha256:\#(String(repeating: "0", count: 64))""#
        + #","plugins":{},"inputs":{},"seed":"0"}"#,
      to: "e.transcript.jsonl")

    let found = try Scenarios.all(in: folder.directory.path)

    #expect(found.map(\.name) == ["a.yaml", "b.yml", "c.yaml", "d.yaml", "in/e.yaml"])
  }

  @Test func `a folder without scenarios is an error, for its test would test nothing`() throws {
    let folder = try TemporaryFolder()
    let path = folder.directory.path

    #expect(throws: ScenarioFileError.noScenarios(path)) { try Scenarios.all(in: path) }
    #expect(throws: ScenarioFileError.missingFolder(path + "/none")) {
      try Scenarios.all(in: path + "/none")
    }
    #expect(throws: ScenarioFileError.nothingToExclude("none", path)) {
      try Scenarios.all(in: path, excluding: ["none"])
    }
  }
}
