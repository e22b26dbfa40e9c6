import FlowSystem
import FlowYAML

/// Renders a tree as JSON with sorted keys, so that tests compare whole values.
func json(_ node: Node) -> String {
  switch node.kind {
  case .sequence:
    return "[" + node.items.map(json).joined(separator: ",") + "]"
  case .mapping:
    let members = node.entries.map { quoted($0.key.text) + ":" + json($0.value) }
    return "{" + members.sorted().joined(separator: ",") + "}"
  case .scalar:
    return json(node.scalar, text: node.text)
  }
}

private func json(_ scalar: Scalar?, text: String) -> String {
  switch scalar {
  case .null, nil: "null"
  case .bool(let value): "\(value)"
  case .int(let value): number(Double(value))
  case .float(let value): number(value)
  case .bigInt, .string: quoted(text)
  }
}

/// JSON does not tell 1 from 1.0, so neither may the rendering.
func number(_ value: Double) -> String { "\(value)" }

func quoted(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": result += "\\\(scalar)"
    case "\n": result += "\\n"
    case _ where scalar.value < 0x20: result += "\\u{\(String(scalar.value, radix: 16))}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return "\"\(result)\""
}

/// Renders a tree with the meaning and the place of every node, one node on a line.
func outline(_ node: Node, indent: String = "") -> String {
  let place =
    "\(node.span.start.line):\(node.span.start.column)-\(node.span.end.line):\(node.span.end.column)"
  let alias = node.isAlias ? " alias" : ""
  let tag = node.tag == nil ? "" : " tagged"
  var lines = ["\(indent)\(place)\(alias)\(tag) \(label(node))"]
  lines += node.items.map { outline($0, indent: indent + "  ") }
  for entry in node.entries {
    lines.append(outline(entry.key, indent: indent + "  "))
    lines.append(outline(entry.value, indent: indent + "    "))
  }
  return lines.joined(separator: "\n")
}

private func label(_ node: Node) -> String {
  guard let scalar = node.scalar else {
    return "\(node.kind) \(node.items.count + node.entries.count)"
  }
  return "\(scalar) \(quoted(node.text))" + (node.isPlain ? "" : " quoted")
}

func parse(_ text: String, limits: Limits = Limits()) throws(YAMLError) -> Node {
  try Node(parsing: Array(text.utf8), limits: limits)
}

/// Reads a text that must be wrong, and returns the rendered error.
func failure(_ bytes: [UInt8], limits: Limits = Limits()) -> String {
  do {
    return "no error: " + json(try Node(parsing: bytes, limits: limits))
  } catch {
    return "\(error)"
  }
}

func failure(_ text: String, limits: Limits = Limits()) -> String {
  failure(Array(text.utf8), limits: limits)
}
