public import FlowCore
package import FlowExpression

/// A call of an operation.
///
/// An object, since nearly all steps are calls, and are looked at again and again.
public final class PlannedCall: Sendable {
  /// The operation.
  public let operation: OperationReference
  /// The input, a record of the operation's input type.
  public let input: Template
  /// The expected answer.
  ///
  /// Nil accepts every answer except an error.
  public let expectation: Expectation?
  /// The parts of its answers with rules of their own.
  package let parts: Parts
  /// The circumstances for the rules of the component's description, or nil without one.
  package let contract: ContractCall?
  /// The place of the expected error, or else of the operation's name.
  public let place: Place

  package init(
    operation: OperationReference, input: Template, expectation: Expectation?,
    parts: Parts, contract: ContractCall?, place: Place
  ) {
    self.operation = operation
    self.input = input
    self.expectation = expectation
    self.parts = parts
    self.contract = contract
    self.place = place
  }

  /// Parts of answers, nearly always none.
  package struct Parts: Sendable {
    /// The parts that differ from run to run.
    package let volatile: [ValuePath]
    /// The parts whose texts are hidden from then on.
    package let secret: [ValuePath]

    package init(volatile: [ValuePath], secret: [ValuePath]) {
      (self.volatile, self.secret) = (volatile, secret)
    }
  }
}

/// An operation of one of the scenario's components.
public final class OperationReference: Sendable {
  /// The component's position among the plan's, from 0.
  public let component: Int
  /// The operation's position among the plugin's, from 0.
  public let index: Int
  /// `component.operation`, as `uses:` has it.
  public let name: String
  /// Its input, output and errors.
  public let description: OperationDescription
  /// The component's name.
  package let componentName: String
  /// The plugin of the component.
  package let plugin: RegisteredPlugin
  /// True if the component may call others during the call, unless another scenario hands it over.
  package let usesRoles: Bool
  /// The parts of its answers that the component declares as different from run to run.
  package let volatile: [ValuePath]
  /// The type of its answer in expressions, shared by all steps that use it.
  package let answerType: ExpressionType
  private let narrowsAnswer: Bool

  package init(
    component: Int, index: Int, name: String, plugin: RegisteredPlugin, usesRoles: Bool,
    volatile: [ValuePath] = []
  ) {
    self.volatile = volatile
    self.usesRoles = usesRoles && !plugin.roles.isEmpty
    self.component = component
    self.index = index
    self.name = name
    self.plugin = plugin
    componentName = name.componentName
    description = plugin.operations[index]
    answerType = .record(description.output)
    narrowsAnswer = description.narrowsOutput
  }

  /// A narrower type of its answer that follows from an input, or nil.
  package func narrowedOutput(for input: Template?) -> RecordType? {
    guard narrowsAnswer else { return nil }
    let output = description.output { input?.knownFields ?? [:] }
    return output === description.output ? nil : output
  }
}

extension String {
  /// The component of `component.operation` and `component.event`, the part before the point.
  package var componentName: String {
    utf8.firstIndex(of: UInt8(ascii: ".")).map { String(self[..<$0]) } ?? self
  }
}

extension PlannedCall: PlannedContent {
  package var templates: [Template] { [input] }
  package var expressions: [PlannedExpression] {
    input.expressions + (expectation?.expressions ?? [])
  }
  package var waiting: Waiting { .answer(operation.name) }
  package var lines: [String] {
    let hasInput = !operation.description.input.fields.isEmpty
    let input = hasInput ? " \(input.text(of: operation.componentName))" : ""
    return ["uses: \(operation.name)\(input)"]
      + (expectation.map { ["expect: \($0.text())"] } ?? [])
      + Self.line("volatile", parts.volatile) + Self.line("secret", parts.secret)
  }
  package var summary: String { operation.name }

  private static func line(_ key: String, _ paths: [ValuePath]) -> [String] {
    paths.isEmpty ? [] : ["\(key): \(paths.map(\.text).joined(separator: ", "))"]
  }
}
