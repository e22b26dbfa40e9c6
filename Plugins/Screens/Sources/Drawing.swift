import FlowCore

/// A drawing of a screen as an SVG, for a browser or a report.
///
/// It is at least as high as the visible part of the screen with its title. Long texts are cut to a
/// line, and pictures are small.
struct Drawing {
  private static let width = 360
  private static let header = 40
  /// The height of the label and the field with the space around them.
  private static let form = 100
  /// The most characters of a text.
  private static let line = 44
  /// The longest embedded picture file, and the limit for all of them together, in bytes.
  private static let (small, room) = (4096, 65_536)

  /// The whole file.
  private(set) var svg = ""
  private let height: Int
  /// Pictures as URLs, by path.
  private var pictures: [String: String] = [:]
  private var size = 0

  /// A drawing of a height in points.
  init(height: Int) {
    self.height = height
  }

  /// Returns true if the picture of a row is small enough to embed and not embedded yet.
  func hasRoom(for row: ScreenState.Row) -> Bool {
    guard let bytes = row.bytes, pictures[row.path] == nil else { return false }
    return bytes <= Self.small && size + bytes <= Self.room
  }

  /// Embeds the picture of a row, unless its file has changed.
  mutating func embed(_ content: Bytes, for row: ScreenState.Row) {
    guard let format = row.format, content.content.count == row.bytes,
      // Any component can have the role, and this is part of an attribute.
      format.utf8.allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 })
    else { return }
    size += content.content.count
    pictures[row.path] = "data:image/\(format);base64,\(content.base64)"
  }

  /// Draws a screen.
  mutating func draw(_ state: ScreenState) {
    let whole = max(height, state.screen == .balance ? Self.form : 0) + Self.header
    svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.width)" height="\(whole)" \
      viewBox="0 0 \(Self.width) \(whole)" font-family="sans-serif" font-size="13">

      """
    rectangle(0, 0, width: Self.width, height: whole, fill: "#ffffff")
    if state.screen == .balance { balance(state) }
    for row in state.rows { place(row, y: Self.header + Self.y(of: row, state)) }
    // Over the rows, since the first one may be scrolled out in part.
    rectangle(0, 0, width: Self.width, height: Self.header, fill: "#eeeeee")
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
    rectangle(12, 96, width: Self.width - 24, height: 32, fill: "#ffffff", stroke: "#777777")
    text(20, 117, state.field)
  }

  private mutating func place(_ row: ScreenState.Row, y: Int) {
    rectangle(8, y + 8, width: 44, height: 44, fill: row.picture.color, stroke: "#777777")
    if let picture = pictures[row.path] {
      svg += #"<image x="8" y="\#(y + 8)" width="44" height="44" href="\#(picture)"/>"# + "\n"
    }
    text(64, y + 22, row.title, weight: "bold")
    text(64, y + 38, row.subtitle)
    text(64, y + 53, row.caption, fill: "#777777")
  }

  private mutating func alert(_ alert: Alert, y: Int) {
    rectangle(20, y, width: Self.width - 40, height: 80, fill: "#fff8e1", stroke: "#b00020")
    text(32, y + 30, alert.title, weight: "bold")
    text(32, y + 56, alert.message)
  }

  private mutating func rectangle(
    _ x: Int, _ y: Int, width: Int, height: Int, fill: String, stroke: String = "none"
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

  /// Returns a text in one line for XML 1.0.
  ///
  /// XML has no characters below the space except tab and line ends, and neither U+FFFE nor U+FFFF
  /// (https://www.w3.org/TR/xml/#charsets).
  static func escaped(_ text: String) -> String {
    // Scalars, since one character can have any number of them.
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
