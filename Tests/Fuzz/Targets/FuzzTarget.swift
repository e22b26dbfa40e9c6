import BalancePlugin
import CatalogPlugin
import FlowCore
import FlowExpression
import FlowScenario
import FlowTranscript
import FlowYAML
import ImagesPlugin

/// What hostile bytes are fed to; whatever comes out is fine, as long as something does.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// The YAML loader, and a walk over the tree that it makes.
  case yaml
  /// The expression language: parse, check, evaluate.
  case expression
  /// `flow check` over a whole scenario, and the text of what it finds.
  case scenario
  /// The transcript and journal readers, what they print, and a comparison by a scenario's types.
  case transcript

  /// Feeds the bytes to the target.
  package func feed(_ bytes: [UInt8]) {
    switch self {
    case .yaml: Self.yaml(bytes)
    case .expression: Self.expression(bytes)
    case .scenario: Self.scenario(bytes)
    case .transcript: Self.transcript(bytes)
    }
  }

  private static func yaml(_ bytes: [UInt8]) {
    guard let roots = try? Node.all(parsing: bytes) else { return }
    for root in roots { _ = Value(root).summary() }
  }

  private static func expression(_ bytes: [UInt8]) {
    var environment = Environment()
    environment.declare("n", type: .int, slot: Slot(level: 0, index: 0))
    environment.declare("s", type: .string, slot: Slot(level: 0, index: 1))
    environment.declare("l", type: .list(.dynamic), slot: Slot(level: 0, index: 2))
    environment.declare("d", type: .decimal, slot: Slot(level: 0, index: 3))
    let values: [Value?] = [
      .int(3), .string("héllo"), .list([.int(1), .string("a"), .null]),
      .decimal(Decimal(significand: 1250, scale: 2)),
    ]
    let text = String(decoding: bytes, as: UTF8.self)
    guard let expression = try? Expression(text, in: environment) else { return }
    let activation = Activation(levels: [values])
    _ = try? expression.evaluate(activation)
    _ = expression.operands(activation)
  }

  /// The bytes as a transcript of a scenario that calls every plugin.
  private static func transcript(_ bytes: [UInt8]) {
    // No folder has this name, so bodies are looked for and never found.
    let file = "/no/such/folder/fuzz.jsonl"
    _ = try? TranscriptReader.readJournal(bytes, file: file)
    guard let transcript = try? TranscriptReader.read(bytes, file: file) else { return }
    _ = transcript.text(limit: 200)
    guard let plan else { return }
    _ = try? transcript.header.inputValues(for: plan, file: file)
    _ = TranscriptDifference(from: transcript, to: transcript, plan: plan).lines
  }

  private static let plan: Plan? = {
    let text = """
      flow: 1
      inputs: {amount: {type: decimal, default: 12.50}}
      components:
        balance: {plugin: balance, with: {opening: 100.00}}
        catalog: {plugin: catalog, with: {file: data/catalog.json}}
        images: {plugin: images, with: {directory: data/images}}
      steps:
        - {id: opening, uses: balance.load}
        - {id: spend, uses: balance.subtract, with: {amount: "${{ inputs.amount }}"}}
        - {id: page, uses: catalog.page, with: {start: 0, length: 20}}
        - {id: picture, uses: images.fetch, with: {path: a.png}}

      """
    guard let registry = try? Registry([Balance.self, Catalog.self, Images.self]) else {
      return nil
    }
    let source = ScenarioSource(file: "fuzz.yaml", bytes: Array(text.utf8))
    return try? ScenarioLoader(registry: registry).plan(source)
  }()

  private static func scenario(_ bytes: [UInt8]) {
    guard let registry = try? Registry([Balance.self, Catalog.self, Images.self]) else { return }
    do {
      let source = ScenarioSource(file: "fuzz.yaml", bytes: bytes)
      // Whatever the bytes include is these bytes again: no file is read.
      let files = ScenarioFiles { _ in bytes }
      _ = try ScenarioLoader(registry: registry, files: files).check(source)
    } catch {
      _ = DiagnosticRenderer(sources: ["fuzz.yaml": bytes]).render(error.diagnostics)
    }
  }
}
