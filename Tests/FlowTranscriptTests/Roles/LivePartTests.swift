import AlbumPlugin
import CatalogPlugin
import FlowCore
import FlowEngine
import FlowPlan
import FlowRedaction
import FlowScenario
import FlowTranscript
import ImagesPlugin
import TestKit
import Testing

/// One component that runs live, while the components it uses are served from a recording.
@Suite struct LivePartTests {
  private static let scenario = """
    flow: 1
    components:
      catalog: {plugin: catalog, with: {file: rows.yaml}}
      images: {plugin: images}
      album: {plugin: album, with: {page: 2}, using: {catalog: catalog, images: images}}
    steps:
      - id: all
        uses: album.collect
        with: {count: 4}
        continue-on-error: true
    """
  private static let rows = """
    - {title: A, city: B, state: C, image: barn-01.png}
    - {title: A, city: B, state: C, image: barn-02.jpg}
    - {title: A, city: B, state: C, image: missing.png}
    - {title: A, city: B, state: C, image: barn-04.webp}
    """

  /// A folder with the scenario, its rows and all their pictures except one.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "s.yaml")
    try folder.write(Self.rows, to: "rows.yaml")
    let pictures = Directory(ScenarioFolder.path + "/data/images")
    for name in ["barn-01.png", "barn-02.jpg", "barn-04.webp"] {
      try folder.directory.write(pictures.read(name), to: name)
    }
    return folder
  }

  private func plan(
    _ folder: TemporaryFolder, _ fault: FaultyAlbum.Fault = .none
  ) throws -> Plan {
    let album = RegisteredPlugin(erasing: FaultyAlbum(fault: fault))
    let others = try Registry([Catalog.self, Images.self]).plugins
    return try ScenarioLoader(registry: Registry(plugins: [album] + others))
      .plan(ScenarioSource(reading: folder.path("s.yaml")))
  }

  /// Hides nothing, or the pictures' names without their ends.
  private static func redactor(_ isHiding: Bool) -> Redactor {
    let redactor = Redactor()
    let name = Array("barn-".utf8)
    if isHiding {
      redactor.use([
        RedactionPattern { bytes in
          bytes.indices.filter { bytes[$0...].starts(with: name) }.map { $0..<$0 + 7 }
        }
      ])
    }
    return redactor
  }

  private func record(
    _ plan: Plan, isVirtual: Bool = false, isHiding: Bool = false
  ) async throws -> Recording {
    let recorder = Recorder(of: plan)
    var options = Session.Options()
    options.redactor = Self.redactor(isHiding)
    if isVirtual { options.virtualTime = VirtualTime() }
    let session = Session(of: plan, sinks: [recorder], options: options)
    #expect(await session.run(inputs: []).passed)
    return recorder.recording
  }

  private func replay(
    _ transcript: Transcript, _ plan: Plan, live: Set<String>, isHiding: Bool = false
  ) async -> Replay.Report {
    var part = Replay.Live()
    part.names = live
    return await Replay(transcript, of: plan, live: part)
      .run(inputs: [], redactor: Self.redactor(isHiding))
  }

  /// All findings of a replay, a line for each difference.
  private func findings(_ report: Replay.Report) -> [String] {
    report.run.diagnostics.flatMap { ["\($0.code): \($0.message)"] + $0.notes }
      + report.ends.map(\.diagnostic.message)
      + (report.difference?.calls.map { call in
        "\(call.kind.rawValue) \(call.address): "
          + call.fields.map(\.path).joined(separator: ", ")
      } ?? [])
  }

  @Test(arguments: [
    [], ["album"], ["catalog"], ["images"], ["album", "catalog"], ["album", "images"],
    ["catalog", "images"], ["album", "catalog", "images"],
  ]) func `every part of the components can run live`(_ live: [String]) async throws {
    let folder = try folder()
    let plan = try plan(folder)
    let transcript = try await record(plan).whole("s.yaml")
    if !live.contains("images") { try folder.remove("barn-01.png") }
    if !live.contains("catalog") { try folder.remove("rows.yaml") }

    let report = await replay(transcript, plan, live: Set(live))

    #expect(findings(report) == [])
    #expect(report.passed)
  }

  @Test func `a recording has the same bytes under every schedule`() async throws {
    let folder = try folder()
    let plan = try plan(folder)
    let first = try await record(plan).bytes
    for number in 0..<30 {
      #expect(try await record(plan, isVirtual: number % 2 == 0).bytes == first)
    }
  }

  /// A fault, and the first line of its message.
  private static let faults: [(FaultyAlbum.Fault, [String])] = [
    (.none, []),
    (
      .wrongValue,
      [
        "F3001: 'all#1/images.fetch#1' is not in the transcript",
        "path: recorded \"barn-02.jpg\", now \"barn-09.png\"",
      ]
    ),
    (
      .wrongPage,
      ["F3001: 'all#1/catalog.page#1' is not in the transcript", "start: recorded 2, now 3"]
    ),
    (
      .forgottenCall,
      [
        "F3006: 1 recorded call was never made",
        #"line 17: 'all#1/images.fetch#1' called 'images.fetch' with {path: "barn-04.webp"}"#,
      ]
    ),
    (
      .extraCall,
      [
        "F3001: 'all#1/images.fetch#1' is not in the transcript",
        "it calls 'images.fetch' with {path: \"barn-09.png\"}",
      ]
    ),
    (
      .repeatedCall,
      [
        "F3001: 'all#1/images.fetch#2' is not in the transcript",
        "the same call is recorded on line 13 at 'all#1/images.fetch#1', but is already used",
      ]
    ),
    (
      .wrongOrder,
      [
        "F3010: 'all#1/catalog.page#1' comes after 'all#1/catalog.page#1', but was recorded before its end"
      ]
    ),
    (.swappedAnswers, ["changed all#1: ok.entries[0].width, ok.entries[1].width"]),
    (.swallowedError, ["changed all#1: ok.entries[3].problem"]),
    (.wrongAnswer, ["changed all#1: ok.asked"]),
    (
      .wrongStart,
      ["F3001: 'all#1/catalog.page#1' is not in the transcript", "start: recorded 0, now 1"]
    ),
  ]

  @Test(arguments: faults)
  func `a fault has one finding, where it is made`(
    _ fault: FaultyAlbum.Fault, _ expected: [String]
  ) async throws {
    let folder = try folder()
    let transcript = try await record(plan(folder)).whole("s.yaml")

    let report = await replay(transcript, try plan(folder, fault), live: ["album"])
    let findings = findings(report)

    #expect(findings.first == expected.first)
    #expect(Set(expected).isSubset(of: findings), "\(findings)")
    #expect(
      findings.count { $0.hasPrefix("F") || $0.hasPrefix("changed") } == (fault == .none ? 0 : 1))
    #expect(report.passed == (fault == .none))
  }

  /// A replay on a date with the album live, in which the others are asked for reads that are not recorded.
  private func replayAsking(_ transcript: Transcript, _ plan: Plan) async -> Replay.Report {
    var part = Replay.Live()
    part.names = ["album"]
    part.asking = Timestamp("2026-11-25T09:00:00Z")
    return await Replay(transcript, of: plan, live: part).run(inputs: [])
  }

  @Test func `a read that is not recorded is asked of its component, and added`() async throws {
    let folder = try folder()
    let transcript = try await record(plan(folder)).whole("s.yaml")
    let plan = try plan(folder, .extraPage)

    let report = await replayAsking(transcript, plan)
    let added = try #require(report.recording)
    let lines = String(decoding: added.bytes, as: UTF8.self).split(separator: "\n")
    let again = await replay(try added.whole("s.yaml"), plan, live: ["album"])

    #expect(findings(report) == [])
    #expect(
      lines.filter { $0.contains("added") } == [
        #"{"at":"all#1/catalog.page#1","invoke":"catalog.page","input":{"start":4,"length":2},"#
          + #""added":{"date":"2026-11-25T09:00:00Z","from":"catalog 1.0"}}"#
      ])
    #expect(findings(again) == [])
  }

  @Test(arguments: [
    (FaultyAlbum.Fault.extraCall, "'images.fetch' is not declared read-only"),
    (.wrongPage, ""),
  ]) func `what is no read, or takes the place of another call, is not added`(
    _ fault: FaultyAlbum.Fault, _ reason: String
  ) async throws {
    let folder = try folder()
    let transcript = try await record(plan(folder)).whole("s.yaml")

    let report = await replayAsking(transcript, try plan(folder, fault))

    #expect(!report.passed)
    #expect(
      reason.isEmpty
        ? findings(report).first == "F3006: 2 recorded calls were never made"
        : findings(report).contains("the component was not asked: \(reason)"), "\(findings(report))"
    )
  }

  @Test(arguments: [[], ["album"], ["catalog"], ["album", "catalog", "images"]])
  func `hidden texts are told apart whatever runs live`(_ live: [String]) async throws {
    let folder = try folder()
    let plan = try ScenarioLoader(
      registry: Registry([Album.self, Catalog.self, Images.self])
    ).plan(ScenarioSource(reading: folder.path("s.yaml")))
    let transcript = try await record(plan, isHiding: true).whole("s.yaml")

    let report = await replay(transcript, plan, live: Set(live), isHiding: true)

    #expect(findings(report) == [])
    #expect(report.passed)
  }

  @Test(arguments: [FaultyAlbum.Fault.forgottenCall, .repeatedCall, .extraCall])
  func `an optional call may be left out and repeated, but no other one is made`(
    _ fault: FaultyAlbum.Fault
  ) async throws {
    let folder = try folder()
    let text = Self.scenario.replacing(
      "images: images}}", with: "images: images}, optional: [images.fetch]}")
    try folder.write(text, to: "s.yaml")
    let transcript = try await record(plan(folder)).whole("s.yaml")

    let report = await replay(transcript, try plan(folder, fault), live: ["album"])
    let all = await replay(
      transcript, try plan(folder, fault), live: ["album", "catalog", "images"])

    // Its own answer is another one in any case.
    let (one, every) = (findings(report), findings(all))
    #expect(text != Self.scenario)
    #expect(one.contains { $0.contains("images.fetch") } == (fault == .extraCall), "\(one)")
    #expect(every.contains { $0.contains("images.fetch") } == (fault == .extraCall), "\(every)")
  }

  @Test func `what is asked for in place of another hidden text is found`() async throws {
    let folder = try folder()
    let transcript = try await record(plan(folder), isHiding: true).whole("s.yaml")

    let report = await replay(
      transcript, try plan(folder, .wrongValue), live: ["album"], isHiding: true)

    #expect(findings(report).first == "F3001: 'all#1/images.fetch#1' is not in the transcript")
    #expect(
      findings(report).contains(
        #"path: recorded "${redacted:1#2}.jpg", now "${redacted:1#4}.png""#))
  }
}
