import FlowCore
import FlowPlan
import FlowRedaction
import FlowScenario
import TestKit
import Testing

@testable import FlowEngine

/// The events of runs with secrets, which differ from those without only in their strings.
@Suite struct RedactedEventTests {
  private static let secret = "s3cret-text"
  private static let placeholder = "${secret:token}"

  @Test(arguments: scenarios) func `redaction changes texts and nothing else`(
    _ scenario: String
  ) async throws {
    let redactor = Redactor()
    try redactor.add(Self.secret, named: "token")
    let events = try await Self.events(of: scenario)

    for event in events {
      #expect(
        Structure(event.redacted(by: redactor)).text
          == Structure(event).text.replacing(Self.secret, with: Self.placeholder),
        "\(event.line)")
    }
    #expect(events.contains { Structure($0).text.contains(Self.secret) })
  }

  @Test func `every kind of event and of failure is looked at`() async throws {
    var kinds: Set<Kind> = []
    for scenario in Self.scenarios {
      for event in try await Self.events(of: scenario) { kinds.formUnion(Kind.all(in: event)) }
    }

    #expect(Set(Kind.allCases).subtracting(kinds) == [])
  }

  // MARK: - Runs

  private static let scenarios = ([passing] + failing).map { head + $0 }

  private static let head = """
    flow: 1
    inputs: {text: {type: string}}
    components:
      k: {plugin: teller}
      p: {plugin: probe, with: {title: "${{ inputs.text }}"}}
    outputs: {text: "<${{ inputs.text }}>"}
    steps:

    """

  private static let passing = """
      - {id: told, name: "Tell ${{ inputs.text }}", uses: k.tell, with: {text: "<${{ inputs.text }}>"}}
      - {await: k.told, where: "${{ event.text != inputs.text }}", timeout: 1s}
      - compare: set
        parallel:
          left: [{uses: p.echo, with: {value: "${{ {inputs.text: [inputs.text]} }}"}}]
          right: [{uses: k.tell, with: {text: "${{ steps.told.text }}"}}]
      - {for: x, in: "${{ [inputs.text, 'b'] }}", parallel: 2, cases: "${{ x }}", do: [{uses: p.echo, with: {value: "${{ x }}"}}]}
      - {scenario: part.yaml, with: {text: "${{ inputs.text }}"}}
      - {if: "${{ inputs.text == '' }}", wait: 1s}

    """

  private static let part = """
    flow: 1
    inputs: {text: {type: string}}
    components: {k: {plugin: teller}}
    steps: [{uses: k.tell, with: {text: "${{ inputs.text }}"}}]

    """

  /// The possible failures of a run, a step each.
  private static let failing = [
    "{uses: p.echo, with: {value: \"${{ inputs.text }}\"}, expect: {value: \"${{ inputs.text + '!' }}\"}}",
    "{uses: k.fail, with: {text: \"${{ inputs.text }}\"}}",
    "{uses: p.fail, with: {code: \"${{ inputs.text }}\"}, expect: {error: refused}}",
    "{uses: k.fail, with: {text: \"${{ inputs.text }}\"}, expect: {error: failed, message: no}}",
    "{uses: k.tell, with: {text: \"${{ inputs.text }}\"}, expect: {error: failed}}",
    "{assert: [\"${{ inputs.text == '' }}\", \"${{ duration(inputs.text) > duration('1s') }}\"]}",
    "{wait: \"${{ duration(inputs.text) }}\"}",
    "{repeat: {until: \"${{ inputs.text == '' }}\", limit: 1}, do: [{wait: 0s}]}",
    "{id: closed, scenario: closed.yaml, with: {text: \"${{ inputs.text }}\"}}",
    "{uses: p.sleep, with: {span: 1h}, timeout: 1ms}",
    "{uses: k.hold, with: {text: \"${{ inputs.text }}\"}}",
    "{id: lost, uses: p.echo, with: {value: \"${{ inputs.text }}\"}}",
  ].map { "  - \($0)\n  - {wait: 1s}\n" }

  private static let closed = """
    flow: 1
    inputs: {text: {type: string}}
    components: {k: {plugin: teller, with: {refused: "${{ inputs.text }}"}}}
    steps: [{uses: k.tell, with: {text: none}}]

    """

  private static func events(of scenario: String) async throws -> [Event] {
    let files = ScenarioFiles(texts: ["part.yaml": part, "closed.yaml": closed])
    let plan = try ScenarioLoader(registry: try Registry([Probe.self, Teller.self]), files: files)
      .plan(ScenarioSource(file: "test.yaml", bytes: Array(scenario.utf8)))
    let log = EventLog(hearsValues: true)
    let session = Session(
      of: plan, sinks: [log], options: .init(in: Directory("."), virtualTime: VirtualTime()))
    let caller = Losing(caller: session.live())
    let inputs = try plan.inputValues(texts: [("text", secret)])
    // In a separate task, since one of the runs cancels its task.
    _ = await Task { await session.run(inputs: inputs, through: caller) }.value
    return log.events
  }
}

/// Tells a text in every way it can, none of which is secret: what is compared must not be redacted before.
private struct Teller: Component {
  static let plugin = Plugin(
    "teller", version: "1", "Tells a text.", state: .none,
    settings: Parameter<String?>("refused", "Why it cannot be opened."), events: [told],
    operations: [
      Operation("tell", "Tells it.", input: Text.record, answers: Text.record, errors: [.failed]) {
        _, context, text in
        context.emit(told, text)
        return text
      },
      Operation("fail", "Fails with it.", input: Text.record, answers: .none, errors: [.failed]) {
        _, _, text in throw ComponentError(.failed, text.text)
      },
      Operation("hold", "Is cancelled.", input: Text.record, answers: .none) { _, context, _ in
        unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
        try await context.sleep(for: .seconds(60))
      },
    ]
  ) { _, refused in
    if let refused { throw ComponentError(.failed, refused) }
    return Teller()
  }

  static let told = EventKind("told", "A text was told.", Text.record)

  struct Text: Sendable {
    let text: String
    static let record = Record(Text.init(text:), Field("text", \.text, "The text."))
  }
}

/// Loses the call of one step on the way.
private struct Losing: Caller {
  let caller: LiveCaller

  func call(_ invocation: Invocation) async throws -> Outcome {
    guard invocation.address.path == "lost" else { return try await caller.call(invocation) }
    throw BoundaryFailure(
      code: "F3001", message: "lost \(invocation.input)", notes: ["it was \(invocation.input)"])
  }

  func close(_ scope: Address) async { await caller.close(scope) }

  func finish() async throws { await caller.finish() }
}

/// The kinds of events, with those of their failures.
private enum Kind: CaseIterable {
  case runStarted, invoked, emitted, answered, failed, cancelled, branchStarted, branchEnded
  case stepStarted, computed, passed, notRun, caseStarted, caseEnded, runEnded
  case unexpectedAnswer, componentError, otherError, otherMessage, noError, assertions, evaluation,
    limit
  case notOpened, boundary, timeout, stopped, inner

  static func all(in event: Event) -> [Kind] {
    switch event {
    case .runStarted: [.runStarted]
    case .invoked: [.invoked]
    case .emitted: [.emitted]
    case .completed(_, .answer): [.answered]
    case .completed(_, .error): [.failed]
    case .completed(_, .cancelled): [.cancelled]
    case .branchStarted: [.branchStarted]
    case .branchEnded: [.branchEnded]
    case .stepStarted: [.stepStarted]
    case .caseStarted: [.caseStarted]
    case .computed: [.computed]
    case .caseEnded: [.caseEnded]
    case .stepEnded(_, _, .passed, _): [.passed]
    case .stepEnded(_, _, .notRun, _): [.notRun]
    case .stepEnded(_, _, .failed(let failure), _): [Kind(failure)]
    case .runEnded(let result): [.runEnded] + result.failures.map { Kind($0.failure) }
    }
  }

  private init(_ failure: StepFailure) {
    self =
      switch failure {
      case .unexpectedAnswer, .brokenContract: .unexpectedAnswer
      case .componentError: .componentError
      case .otherError: .otherError
      case .otherMessage: .otherMessage
      case .noError: .noError
      case .assertions: .assertions
      case .evaluation: .evaluation
      case .limit: .limit
      case .notOpened: .notOpened
      case .boundary: .boundary
      case .timeout: .timeout
      case .cancelled: .stopped
      case .inner: .inner
      }
  }
}

/// A value with all that it is made of, as text.
///
/// Found by reflection, which nothing but this test uses: a member that is added to a type is compared without
/// anything to do here.
private struct Structure {
  let text: String

  init(_ value: Any) { text = Self.text(of: value) }

  private static func text(of value: Any) -> String {
    switch value {
    case let text as String: return "'\(text)'"
    case let bytes as Bytes: return String(decoding: bytes.content, as: UTF8.self)
    // A copy has another name.
    case let step as PlannedStep: return "\(step.path) '\(step.label)'"
    // What all who hear of an invocation share is its content.
    case let invocation as Invocation: return text(of: invocation.storage.content)
    // What is shared by all copies is the same object.
    case let object as AnyObject where Mirror(reflecting: value).displayStyle == .class:
      return "\(type(of: object)) at \(ObjectIdentifier(object))"
    default: break
    }
    let mirror = Mirror(reflecting: value)
    // Of what has no parts, the case of an enumeration too.
    if mirror.children.isEmpty { return "\(value)" }
    let parts = mirror.children.map { "\($0.label ?? ""): \(text(of: $0.value))" }
    return "\(type(of: value))(\(parts.joined(separator: ", ")))"
  }
}
