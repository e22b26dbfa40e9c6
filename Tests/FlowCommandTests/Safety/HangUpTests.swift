import PluginHarness
import Testing

/// What a run does when its terminal is gone.
@Suite struct HangUpTests {
  /// Its first step sends the signal to `flow`, which waits in the second one.
  private static let scenario = """
    flow: 1
    components: {p: {plugin: process}}
    steps:
      - {uses: p.run, with: {shell: kill -HUP $PPID}}
      - {id: rest, wait: 200ms}
    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "hang.yaml")
  }

  @Test func `a hang-up stops a run`() throws {
    let longer = Self.scenario.replacing("200ms", with: "1h")
    try folder.write(longer, to: "hang.yaml")
    let ended = try BuiltFlow(#"exec "$0" run hang.yaml --quiet"#, in: folder)

    #expect(ended.code == 130)
    #expect(ended.errors.hasPrefix("flow: stopping; press Ctrl-C again to stop at once\n"))
  }

  @Test func `a run goes on where hang-ups are ignored, as below nohup`() throws {
    let ended = try BuiltFlow(#"trap '' HUP; exec "$0" run hang.yaml --quiet"#, in: folder)

    #expect(ended.errors == "")
    #expect(ended.code == 0)
  }
}
