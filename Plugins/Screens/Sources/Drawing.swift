/// A screen as an SVG, which can be looked at in a browser or in a report.
///
/// It is as large as the screen, and no text in it is longer than a line, whatever the rows say.
struct Drawing {
  private static let width = 360
  private static let header = 40
  /// The most characters of a text.
  private static let line = 44

  /// The whole file.
  private(set) var svg = ""

  /// Draws a screen of a height in points.
  init(_ state: ScreenState, height: Int) {
    let whole = height + Self.header
    svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.width)" height="\(whole)" \
      viewBox="0 0 \(Self.width) \(whole)" font-family="sans-serif" font-size="13">

      """
    rectangle(0, 0, Self.width, whole, fill: "#ffffff")
    if state.screen == .balance { balance(state) }
    for row in state.rows { place(row, y: Self.header + Self.y(of: row, state)) }
    // Over the rows, of which the first may be scrolled out in part.
    rectangle(0, 0, Self.width, Self.header, fill: "#eeeeee")
    text(12, 25, state.title, weight: "bold")
    if state.waiting { text(Self.width - 72, 25, "waiting…", fill: "#777777") }
    if let problem = state.problem { text(12, whole - 12, problem, fill: "#b00020") }
    if let alert = state.alert { self.alert(alert, y: whole / 2 - 40) }
    svg += "</svg>\n"
  }

  private static func y(of row: ScreenState.Row, _ state: ScreenState) -> Int {
    state.screen == .catalog ? row.row * Table.rowHeight - state.offset : 0
  }

  private mutating func balance(_ state: ScreenState) {
    text(12, 80, state.label, weight: "bold")
    rectangle(12, 96, Self.width - 24, 32, fill: "#ffffff", stroke: "#777777")
    text(20, 117, state.field)
  }

  private mutating func place(_ row: ScreenState.Row, y: Int) {
    rectangle(8, y + 8, 44, 44, fill: row.picture.color, stroke: "#777777")
    text(64, y + 22, row.title, weight: "bold")
    text(64, y + 38, row.subtitle)
    text(64, y + 53, row.caption, fill: "#777777")
  }

  private mutating func alert(_ alert: Alert, y: Int) {
    rectangle(20, y, Self.width - 40, 80, fill: "#fff8e1", stroke: "#b00020")
    text(32, y + 30, alert.title, weight: "bold")
    text(32, y + 56, alert.message)
  }

  private mutating func rectangle(
    _ x: Int, _ y: Int, _ width: Int, _ height: Int, fill: String, stroke: String = "none"
  ) {
    svg +=
      #"<rect x="\#(x)" y="\#(y)" width="\#(width)" height="\#(height)" "#
      + #"fill="\#(fill)" stroke="\#(stroke)"/>"# + "\n"
  }

  private mutating func text(
    _ x: Int, _ y: Int, _ text: String, fill: String = "#000000", weight: String = "normal"
  ) {
    svg +=
      #"<text x="\#(x)" y="\#(y)" fill="\#(fill)" font-weight="\#(weight)">"#
      + Self.escaped(text) + "</text>\n"
  }

  /// A text of one line for XML 1.0, which has no characters below the space but tab and line ends, and neither
  /// U+FFFE nor U+FFFF (https://www.w3.org/TR/xml/#charsets).
  static func escaped(_ text: String) -> String {
    // Scalars, because one character can have any number of them.
    let scalars = text.unicodeScalars
    var escaped = ""
    for scalar in scalars.prefix(line) {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return scalars.dropFirst(line).isEmpty ? escaped : escaped + "…"
  }
}

extension PictureState {
  fileprivate var color: String {
    switch self {
    case .placeholder: "#dddddd"
    case .loading: "#fff3c4"
    case .shown: "#cfe8cf"
    case .broken: "#f4c7c3"
    }
  }
}
