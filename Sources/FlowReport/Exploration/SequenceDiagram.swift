internal import FlowCore
package import FlowExplore
internal import FlowSystem

/// A run as a sequence diagram: a lifeline for the scenario and each component, an arrow for each
/// call and each answer.
///
/// A separate SVG without scripts, fonts or links.
///
///     <text class="head" x="390" y="24" text-anchor="middle">balance</text>
///     <line class="line" x1="390" y1="34" x2="390" y2="254"/>
///     <line class="call" x1="130" y1="56" x2="390" y2="56"/>
///     <path class="tip" d="M390 56l-8 -4v8z"/>
///     <text x="260" y="52" text-anchor="middle"><title>open {opening: 10.00}</title>open {opening: 10.00}</text>
package struct SequenceDiagram: Sendable {
  private static let (column, row, top, margin) = (260, 26, 56, 20)
  private static let longest = 38

  private let story: Story
  private let columns: [String]

  /// Creates the diagram of a story.
  package init(_ story: Story) {
    self.story = story
    var columns = [Story.scenario]
    for line in story.lines where !line.component.isEmpty && !columns.contains(line.component) {
      columns.append(line.component)
    }
    self.columns = columns
  }

  /// The whole document.
  package var svg: String {
    let (width, height) = (
      columns.count * Self.column, Self.top + (story.lines.count + 1) * Self.row
    )
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" font-family="sans-serif" font-size="12">
      <style>
      .paper{fill:#fff}.line{stroke:#888;stroke-width:1}.call{stroke:#1f4e9c;stroke-width:1.5}
      .answer{stroke:#1f4e9c;stroke-width:1.5;stroke-dasharray:5 3}
      .tip{fill:#1f4e9c}text{fill:#222}.head{font-weight:bold}
      .delay{fill:#fff3c4;stroke:#b98900}
      @media (prefers-color-scheme: dark){.paper{fill:#1b1b1b}text{fill:#eee}.line{stroke:#777}
      .call,.answer{stroke:#8ab4f8}.tip{fill:#8ab4f8}.delay{fill:#4a3c00;stroke:#e0b400}}
      </style>
      <rect class="paper" width="\(width)" height="\(height)"/>

      """
    for (index, name) in columns.enumerated() {
      let x = Self.x(index)
      text += "<text class=\"head\" x=\"\(x)\" y=\"24\" text-anchor=\"middle\">"
      text += "\(Self.shown(name))</text>\n"
      text += "<line class=\"line\" x1=\"\(x)\" y1=\"34\" x2=\"\(x)\" y2=\"\(height - 10)\"/>\n"
    }
    for (index, line) in story.lines.enumerated() {
      text += element(for: line, at: Self.top + index * Self.row)
    }
    return text + "</svg>\n"
  }

  private static func x(_ column: Int) -> Int { column * Self.column + Self.column / 2 }

  private func x(of name: String) -> Int { Self.x(columns.firstIndex(of: name) ?? 0) }

  private func element(for line: Story.Line, at y: Int) -> String {
    switch line.kind {
    case .call(let caller): arrow(from: caller, to: line.component, "call", line.label, y)
    case .answer(let caller): arrow(from: line.component, to: caller, "answer", line.label, y)
    case .report: beside(line.component, line.label, y)
    case .delay: note(line, y)
    }
  }

  private func arrow(
    from start: String, to end: String, _ kind: String, _ text: String, _ y: Int
  ) -> String {
    let (left, right) = (x(of: start), x(of: end))
    if left == right { return beside(start, text, y) }
    let back = left > right ? 8 : -8
    return """
      <line class="\(kind)" x1="\(left)" y1="\(y)" x2="\(right)" y2="\(y)"/>
      <path class="tip" d="M\(right) \(y)l\(back) -4v8z"/>

      """ + label(text, x: (left + right) / 2, y: y - 4, anchor: "middle")
  }

  /// Returns a text beside a line, on the side with room.
  private func beside(_ name: String, _ text: String, _ y: Int) -> String {
    let isLast = name == columns.last && columns.count > 1
    return label(
      text, x: x(of: name) + (isLast ? -8 : 8), y: y - 4, anchor: isLast ? "end" : "start")
  }

  private func note(_ line: Story.Line, _ y: Int) -> String {
    let center = x(of: line.component.isEmpty ? Story.scenario : line.component)
    let left = max(2, center - Self.column / 2 + 4)
    return """
      <rect class="delay" x="\(left)" y="\(y - 16)" width="\(Self.column - 8)" height="20" rx="4"/>

      """ + label(line.label, x: left + (Self.column - 8) / 2, y: y - 2, anchor: "middle")
  }

  private func label(_ text: String, x: Int, y: Int, anchor: String) -> String {
    "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\"><title>\(Self.escaped(text))</title>"
      + "\(Self.shown(text))</text>\n"
  }

  private static func shown(_ text: String) -> String { escaped(text.shortened(to: longest)) }

  /// Returns text without markup, and without characters forbidden in XML 1.0.
  private static func escaped(_ text: String) -> String {
    text.replacingScalars { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
      default: nil
      }
    }
  }
}
