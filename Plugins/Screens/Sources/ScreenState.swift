import FlowCore

/// The screens.
enum ScreenName: String, CaseIterable, FieldValue {
  case balance
  case catalog
  case place
}

/// The visible state of a screen.
struct ScreenState: Sendable {
  var screen: ScreenName
  var waiting = false
  var label = ""
  var field = ""
  var alert: Alert?
  var problem: String?
  var rows: [Row] = []
  var count = 0
  var offset = 0
  var end = false

  static let record = Record(
    ScreenState.init(screen:waiting:label:field:alert:problem:rows:count:offset:end:),
    Field("screen", \.screen, "The name of the screen."),
    Field(
      "waiting", \.waiting, "True while the screen is loading, apart from its pictures."),
    Field("label", \.label, "The balance with two decimals. Empty before it is loaded."),
    Field("field", \.field, "The text in the field of the balance screen."),
    Field("alert", \.alert, "The open alert, which must be dismissed first."),
    Field("problem", \.problem, "The reason for the last failed load, shown below the rows."),
    Field("rows", \.rows, "The rows in view, wholly or partly, from the top."),
    Field("count", \.count, "The number of loaded rows, in view or not."),
    Field("offset", \.offset, "The scrolled distance in points, 0 at the top."),
    Field("end", \.end, "True if the catalog has no more rows."))

  /// A visible row.
  struct Row: RecordRepresentable {
    var row: Int
    var title: String
    var subtitle: String
    var picture: PictureState
    var path: String
    var width: Int?
    var height: Int?
    var format: String?
    var bytes: Int?
    var problem: String?

    static let record = Record(
      Row.init(row:title:subtitle:picture:path:width:height:format:bytes:problem:),
      Field("row", \.row, "The index of the row, from 0."),
      Field("title", \.title, "The first line."),
      Field("subtitle", \.subtitle, "The second line: city and state."),
      Field("picture", \.picture, "The state of the picture."),
      Field("path", \.path, "The path of the row's picture."),
      Field("width", \.width, "The width of a shown picture in pixels."),
      Field("height", \.height, "The height of a shown picture in pixels."),
      Field("format", \.format, "The format of a shown picture."),
      Field("bytes", \.bytes, "The file size of a shown picture in bytes."),
      Field("problem", \.problem, "The reason for a broken picture."))
  }
}

/// The visible state of a picture.
enum PictureState: String, CaseIterable, FieldValue {
  case placeholder
  case loading
  case shown
  case broken
}

extension ScreenState.Row {
  /// Creates a row from its view.
  init(_ row: Int, _ view: PlaceView) {
    self.init(
      row: row, title: view.title, subtitle: view.subtitle, picture: .placeholder,
      path: view.picture.path)
    switch view.picture.content {
    case .placeholder: picture = .placeholder
    case .loading: picture = .loading
    case .shown(let shown):
      picture = .shown
      (width, height, format, bytes) = (shown.width, shown.height, shown.format, shown.bytes)
    case .broken(let reason):
      picture = .broken
      problem = reason
    }
  }
}

// MARK: - Text

extension ScreenState {
  /// The screen as lines of text, from the top.
  var lines: [String] {
    var lines = [title + (waiting ? " (waiting)" : "")]
    if screen == .balance { lines += [label, "[\(field)]"] }
    lines += rows.map(\.line)
    if let problem { lines.append("! \(problem)") }
    if let alert { lines.append("! \(alert.title): \(alert.message)") }
    return lines
  }

  /// Returns true if a line contains a text.
  func shows(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

  /// The line at the top.
  var title: String {
    switch screen {
    case .balance: "Balance"
    case .catalog: "Catalog, \(count) rows" + (end ? ", all" : "")
    case .place: "Place"
    }
  }
}

extension ScreenState.Row {
  /// The row as a line of text.
  var line: String { "\(row): \(title) | \(subtitle) | \(caption)" }

  /// The picture in words.
  var caption: String {
    switch picture {
    case .placeholder: "no picture"
    case .loading: "\(path) loading"
    case .shown: "\(path) \(width ?? 0)x\(height ?? 0)"
    case .broken: "\(path) broken: \(problem ?? "")"
    }
  }
}
