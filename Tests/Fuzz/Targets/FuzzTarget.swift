import BalancePlugin
import CatalogPlugin
import FlowCore
import FlowExpression
import FlowPlan
import FlowRedaction
import FlowScenario
import FlowYAML
import ImagesPlugin

/// What hostile bytes are fed to; whatever comes out is fine, as long as something does.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// The readers of YAML and JSON, and a walk over the trees that they make.
  case yaml
  /// The expression language: parse, check, evaluate.
  case expression
  /// `flow check` over a whole scenario, and the text of what it finds.
  case scenario
  /// The readers of transcripts and journals with their bodies and matchers, and everything that is done
  /// with what they have read: replays, comparisons, alterations.
  case transcript
  /// `flow.yaml` and its patterns, the state file, and the redaction of any text.
  case project

  /// Feeds the bytes to the target.
  package func feed(_ bytes: [UInt8]) async {
    switch self {
    case .yaml: Self.yaml(bytes)
    case .expression: Self.expression(bytes)
    case .scenario: Self.scenario(bytes)
    case .transcript: await Self.transcript(bytes)
    case .project: Self.project(bytes)
    }
  }

  private static func yaml(_ bytes: [UInt8]) {
    let roots = (try? Node.all(parsing: bytes)) ?? []
    let document = (try? Node(parsing: bytes, as: .json)).map { [$0] } ?? []
    for root in roots + document { _ = Value(root).summary() }
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

  private static func scenario(_ bytes: [UInt8]) {
    guard let registry = try? Registry([Balance.self, Catalog.self, Images.self]) else { return }
    do {
      let source = ScenarioSource(file: "fuzz.yaml", bytes: bytes)
      // Whatever the bytes include is these bytes again: no file is read.
      let files = ScenarioFiles { _ in bytes }
      _ = try ScenarioLoader(registry: registry, files: files)
        .check(source, hidingSecretsBy: Redactor())
    } catch {
      _ = DiagnosticRenderer(sources: ["fuzz.yaml": bytes]).render(error.diagnostics)
    }
  }
}
