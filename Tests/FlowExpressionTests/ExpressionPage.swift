import FlowCore

@testable import FlowExpression

/// `Docs/expressions.md`, made of the declarations that the checker uses.
struct ExpressionPage {
  /// What the page says of a function, an operator or a macro beside its signatures.
  struct Entry {
    let name: String
    let summary: String
    let example: String
    /// How it is written, where no declaration has its types.
    var forms: [String] = []

    init(_ name: String, _ summary: String, _ example: String, _ forms: String...) {
      self.name = name
      self.summary = summary
      self.example = example
      self.forms = forms
    }

    /// What comes of the example, as messages show it.
    var result: String {
      do {
        return try Expression(example, in: Environment()).evaluate(Activation()).description
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

    What stands between `${{` and `}}` is an expression of
    [CEL](https://github.com/google/cel-spec), the Common Expression Language, with what flow adds to
    it; [the scenario format](scenario-format.md#expressions) says which names it may use and what is
    checked before a run. `A` and `B` are any types, the same wherever they stand in one line. Where
    the type of a value is known only at run time (`dyn`), it is accepted everywhere. A number literal
    next to a decimal is one, too, and in a comparison also next to a value that is one at run time.
    `*`, `/` and `%` bind tighter than `+` and `-`, these tighter than comparisons and `in`, then follow
    `&&`, `||` and `?:`.

    To have `${{` itself in a text around expressions, write it as one: `${{ '${{' }}`. A quote inside
    of a text of an expression is written `\\'`, and not twice.

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

  /// A text in a table, whose columns a bar would end.
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

/// One way to call a function, with all the types that a parameter may have.
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

  /// Adds types to the form from which they differ at one parameter; false when there is none.
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
