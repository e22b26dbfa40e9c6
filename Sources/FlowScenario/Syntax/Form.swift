/// The syntax of a value in a file of the format.
///
/// It is the declaration that readers take their keys from, and that schemas and editors ask.
package indirect enum Form: Sendable {
  /// The version of the format, the number 1.
  case version
  /// Any scalar except null.
  case text
  /// A name for expressions, except some.
  case name(reserved: Set<String>)
  /// One of some words.
  case words([String])
  /// `true` or `false`.
  case flag
  /// Exactly one expression.
  case expression
  /// Text with at least one expression.
  case template
  /// A duration, such as `1.5s`.
  case duration
  /// A whole number of a range.
  case whole(ClosedRange<Int>)
  /// A number of a range.
  case number(ClosedRange<Double>)
  /// A whole percentage, such as `80%` or `80`.
  case percentage
  /// A value with this syntax, or one expression for it.
  case computed(Form)
  /// Any value, which may contain expressions.
  case value
  /// A list.
  case list(Form, mayBeEmpty: Bool = true)
  /// A mapping of names to values.
  case names(Form, mayBeEmpty: Bool = true, reserved: Set<String> = [])
  /// A mapping of texts to values.
  case entries(Form)
  /// A mapping with a closed set of keys.
  case keys(KeySet)
  /// A value with one of several syntaxes.
  case either([Form])
  /// One step.
  case step
  /// A name of a type of inputs, such as `list(decimal)`.
  case type
  /// A value of the type beside it.
  case typed
  /// A name of a plugin.
  case plugin
  /// The settings of the plugin beside it.
  case settings
  /// A part of the declaration of a component, known from its plugin.
  case ofPlugin(PluginPart)
  /// An operation of a component, such as `balance.load`.
  case operation
  /// The input of the operation beside it.
  case input
  /// The expectation of an answer of the operation beside it.
  case expectation
  /// An error code of the operation beside it.
  case errorCode
  /// An event of a component, such as `balance.changed`.
  case event
  /// The inputs of the scenario beside it.
  case inputs
  /// The name of an output of a suite.
  case format
  /// A plugin of one of the families.
  case declaredPlugin

  /// A part of a component's declaration.
  package enum PluginPart: Sendable {
    /// The components in the plugin's roles.
    case roles
    /// A call of one of the plugin's roles.
    case roleCall
    /// Places in the answers of the plugin's operations.
    case answers
    /// Varying parts of the plugin's calls of others.
    case varyingCalls(KeySet)
  }

  /// A list of steps with at least one.
  static let steps = Form.list(.step, mayBeEmpty: false)
}

/// A key of a mapping in a file of the format.
package struct Key: Sendable {
  package let name: String
  /// The meaning of its value, in one sentence.
  package let summary: String
  package let form: Form
  package let isRequired: Bool
  /// The key without which it is not allowed, or nil.
  package let needed: String?

  init(
    _ name: String, _ summary: String, _ form: Form, isRequired: Bool = false,
    with needed: String? = nil
  ) {
    self.name = name
    self.summary = summary
    self.form = form
    self.isRequired = isRequired
    self.needed = needed
  }

  /// The same key, where it must be present.
  var required: Key { Key(name, summary, form, isRequired: true, with: needed) }
}

/// The closed set of keys of a mapping, in the order in which messages list them.
package struct KeySet: Sendable {
  package let keys: [Key]
  /// The names of the keys, in the same order.
  package let names: [String]
  /// Groups of keys of which a mapping needs one.
  package let choices: [[String]]

  init(_ keys: [Key], oneOf choices: [[String]] = []) {
    self.keys = keys
    names = keys.map(\.name)
    self.choices = choices
  }
}
