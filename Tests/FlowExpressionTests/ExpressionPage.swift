import FlowCore

@testable import FlowExpression

/// `Docs/expressions.md`, made from the declarations of the checker.
struct ExpressionPage {
  /// The environment of the examples, with the schema that one of them names.
  static let environment = {
    var environment = Environment()
    environment.schemas = [
      "order.schema.json": NamedSchema(accepts: { _ in true }, violations: { _ in [] })
    ]
    return environment
  }()

  /// The page's text about a function, an operator or a macro, beside its signatures.
  struct Entry {
    let name: String
    let summary: String
    let example: String
    /// Its form, if no declaration has its types.
    var forms: [String] = []

    init(_ name: String, _ summary: String, _ example: String, _ forms: String...) {
      self.name = name
      self.summary = summary
      self.example = example
      self.forms = forms
    }

    /// The result of the example, as in messages.
    var result: String {
      do {
        return try Expression(example, in: ExpressionPage.environment).evaluate(Activation())
          .description
      } catch {
        return "\(error)"
      }
    }
  }

  struct Section {
    let title: String
    let entries: [Entry]
  }

  static var names: [String] { sections.flatMap(\.entries).map(\.name) }

  static var text: String {
    ([head, contents] + sections.map(table)).joined(separator: "\n")
  }

  private static let head = """
    # Functions and operators

    ```yaml
    - uses: balance.subtract
      with: {amount: "${{ inputs.amount * 2 }}"}
    - assert: ${{ steps.page.items.all(item, item.title.startsWith('B')) }}
    ```

    An expression is written between `${{` and `}}`. Its language is
    [CEL](https://github.com/google/cel-spec), the Common Expression Language, with additional
    functions. [The scenario format](scenario-format.md#expressions) lists the names for expressions,
    such as `steps` and `inputs`, and the checks before a run.

    How to read the tables:

    - A form such as `list(A).first() -> optional(A)` has the types of the parameters and of the
      result. `A` and `B` are any types. The same letter in one form means the same type.
    - `dyn` is the type of a value with a type known only at run time. It is accepted everywhere.
    - An `optional` either has a value or is empty.

    Rules for all expressions:

    - A number literal next to a decimal is a decimal. In a comparison this is also true next to a
      value that is a decimal only at run time.
    - A number of JSON [keeps its text](scenario-format.md#decimals) if a decimal would not print it
      again. Beside it a literal is compared with all its digits.
    - `*`, `/` and `%` are evaluated first, then `+` and `-`, then comparisons and `in`, then `&&`, then
      `||`, and `?:` last.
    - In a string, `\\'` is a quote. A doubled quote is not.
    - For the text `${{` itself, write an expression: `${{ '${{' }}`.

    """

  private static var contents: String {
    sections.map { section in
      let anchor = section.title.lowercased().split { !$0.isLetter }.joined(separator: "-")
      let names = section.entries.map { "`\($0.name)`" }.joined(separator: ", ")
      return wrapped("- [\(section.title)](#\(anchor)): \(names)") + "\n"
    }.joined()
  }

  private static func table(_ section: Section) -> String {
    """
    ## \(section.title)

    | form | meaning | example | result |
    |---|---|---|---|

    """ + section.entries.map(row).joined()
  }

  private static func row(_ entry: Entry) -> String {
    let forms = entry.forms + DeclaredForm.all(of: entry.name).map(\.text)
    let cells = [
      forms.map(code).joined(separator: "<br>"), entry.summary, code(entry.example),
      code(entry.result),
    ]
    return "| \(cells.joined(separator: " | ")) |\n"
  }

  /// A string in a table, with escaped bars.
  private static func code(_ text: String) -> String {
    "`\(text.replacing("|", with: "\\|"))`"
  }

  /// The words on lines of up to 100 characters, all but the first indented.
  private static func wrapped(_ text: String) -> String {
    var lines = [""]
    for word in text.split(separator: " ") {
      let line = lines[lines.count - 1]
      if line.count + 1 + word.count > 100 {
        lines.append("  \(word)")
      } else {
        lines[lines.count - 1] = line.isEmpty ? String(word) : "\(line) \(word)"
      }
    }
    return lines.joined(separator: "\n")
  }
}

/// One form of a function, with all types of each parameter.
private struct DeclaredForm {
  let function: Function
  var parameters: [[String]]
  let result: String

  /// The forms of the functions and operators of a name: functions before methods, short ones first.
  static func all(of name: String) -> [DeclaredForm] {
    let operators =
      [Operators.not, Operators.negate] + Operators.arithmetic.values.sorted { $0.name < $1.name }
    let functions = Library.functions.values.filter { $0.name == name }.sorted {
      ($0.isMember ? 1 : 0, $0.key.count) < ($1.isMember ? 1 : 0, $1.key.count)
    }
    return (operators.filter { $0.name == name } + functions).flatMap(forms)
  }

  private static func forms(of function: Function) -> [DeclaredForm] {
    var forms: [DeclaredForm] = []
    for signature in function.signatures {
      let parameters = signature.parameters.map { [text($0)] }
      let result = text(signature.result)
      if !forms.contains(where: { $0.result == result }) || !merge(parameters, result, &forms) {
        forms.append(DeclaredForm(function: function, parameters: parameters, result: result))
      }
    }
    return forms
  }

  /// Adds types to the form that differs at one parameter, or returns false without such a form.
  private static func merge(
    _ parameters: [[String]], _ result: String, _ forms: inout [DeclaredForm]
  ) -> Bool {
    for index in forms.indices where forms[index].result == result {
      let different = parameters.indices.filter { parameters[$0] != forms[index].parameters[$0] }
      guard different.count == 1 else { continue }
      forms[index].parameters[different[0]] += parameters[different[0]]
      return true
    }
    return false
  }

  var text: String {
    let types = parameters.map { $0.joined(separator: " or ") }
    let isWord = function.name.contains { $0.isLetter }
    let call =
      if !isWord {
        operation
      } else if function.isMember {
        operand(0) + ".\(function.name)(\(types.dropFirst().joined(separator: ", ")))"
      } else {
        "\(function.name)(\(types.joined(separator: ", ")))"
      }
    return "\(call) -> \(result)"
  }

  private var operation: String {
    parameters.count == 1
      ? function.name + operand(0) : "\(operand(0)) \(function.name) \(operand(1))"
  }

  private func operand(_ index: Int) -> String {
    let text = parameters[index].joined(separator: " or ")
    return parameters[index].count == 1 ? text : "(\(text))"
  }

  private static func text(_ type: ExpressionType) -> String {
    switch type {
    case .parameter(let index): index == 0 ? "A" : "B"
    case .list(let element): "list(\(text(element)))"
    case .map(let key, let value): "map(\(text(key)), \(text(value)))"
    case .optional(let wrapped): "optional(\(text(wrapped)))"
    default: "\(type)"
    }
  }
}
