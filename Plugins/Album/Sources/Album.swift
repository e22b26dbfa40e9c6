public import FlowCore

/// The pictures of a catalog's rows, from two other components.
public actor Album: Component {
  /// The name in `plugin:`.
  public static let pluginName = "album"

  /// The plugin `album`.
  public static let plugin = Plugin(
    pluginName, version: "1.0", "Collects the pictures of a catalog's rows.", state: .memory,
    settings: Parameter<Int>(
      "page", "The number of rows in each request, 1 or more.", default: 10),
    Parameter<Int>(
      "width", "The number of pictures requested at the same time, 1 or more.", default: 4),
    uses: [rows, picture],
    operations: [
      Operation(
        "collect", "Returns the sizes of the pictures of some rows, and caches them.",
        Parameter<Int>("start", "The first row, from 0.", default: 0),
        Parameter<Int>("count", "The maximum number of rows."),
        answers: Collection.record, errors: [.illegal, .unavailable], retry: .safe
      ) { album, context, start, count in try await album.collect(start, count, context) }
    ]
  ) { _, page, width in Album(page: page, width: width) }
  .checking { (page: Int, width: Int) in
    for (name, number) in [("page", page), ("width", width)] where number < 1 {
      throw ComponentError(.settings, "'\(name)' is \(number); it must be 1 or more")
    }
  }.example

  static let rows = Role("catalog", "Provides the rows.").call(
    "page", Parameter<Int>("start", "The first row."),
    Parameter<Int>("length", "The maximum number of rows."),
    answers: Rows.record, errors: [.illegal, .unavailable])
  static let picture = Role("images", "Provides the pictures.").call(
    "fetch", Parameter<String>("path", "The picture's path."), answers: Size.record,
    errors: [.missing, .broken, .forbidden, .unavailable])

  private let page: Int
  private let width: Int
  /// The known entry of each path.
  ///
  /// An unreadable picture is not one, because it may be readable next time.
  private var known: [String: Entry] = [:]

  private init(page: Int, width: Int) {
    self.page = page
    self.width = width
  }

  private func collect(_ start: Int, _ count: Int, _ context: Context) async throws -> Collection {
    let rows = try await rows(start, count, context)
    var seen: Set<String> = []
    let paths = rows.map(\.image).filter { known[$0] == nil && seen.insert($0).inserted }
    var found: [String: Entry] = [:]
    // Another call may ask for the same pictures meanwhile: their calls are recorded one by one, so neither
    // waits for the other.
    for entry in try await entries(paths, context) { found[entry.path] = entry }
    let lasting = found.filter { $0.value.problem != ErrorCode.unavailable.name }
    known.merge(lasting) { $1 }
    return Collection(
      entries: rows.map { row in found[row.image] ?? known[row.image] ?? Entry(path: row.image) },
      asked: paths.count)
  }

  /// The rows from one on, page by page.
  private func rows(_ start: Int, _ count: Int, _ context: Context) async throws -> [Row] {
    var rows: [Row] = []
    while rows.count < count {
      let answer = try await Self.rows(
        start + rows.count, min(page, count - rows.count), in: context)
      rows += answer.items
      if answer.end || answer.items.isEmpty { break }
    }
    return rows
  }

  /// Asks for pictures, some at a time.
  private func entries(_ paths: [String], _ context: Context) async throws -> [Entry] {
    try await withThrowingTaskGroup(of: Entry.self) { group in
      var (waiting, entries) = (paths[...], [Entry]())
      for path in waiting.prefix(width) { group.addTask { try await Self.entry(path, context) } }
      waiting = waiting.dropFirst(width)
      while let entry = try await group.next() {
        entries.append(entry)
        guard let path = waiting.popFirst() else { continue }
        group.addTask { try await Self.entry(path, context) }
      }
      return entries
    }
  }

  /// A picture, or the reason for its absence.
  private static func entry(_ path: String, _ context: Context) async throws -> Entry {
    do {
      let size = try await picture(path, in: context)
      return Entry(path: path, width: size.width, height: size.height)
    } catch let error as ComponentError where error.code != .unexpected {
      return Entry(path: path, problem: error.code.name)
    }
  }
}

extension ErrorCode {
  static let illegal = ErrorCode("illegal", "The start or the number of rows is negative.")
  static let missing = ErrorCode("missing", "No picture has this path.")
  static let broken = ErrorCode("broken", "The file is not a picture.")
  static let forbidden = ErrorCode("forbidden", "The path leads out of the folder.")
  static let unavailable = ErrorCode("unavailable", "The rows or a picture cannot be read.")
}

/// The fields of a row that the album reads.
struct Row: RecordRepresentable {
  var image: String
  static let record = Record(Row.init(image:), Field("image", \.image, "The path of its picture."))
}

/// The fields of a page that the album reads.
struct Rows: Sendable {
  var items: [Row]
  var end: Bool
  static let record = Record(
    Rows.init(items:end:), Field("items", \.items, "The rows."),
    Field("end", \.end, "True if these are the last rows."))
}

/// The fields of a picture that the album reads.
struct Size: Sendable {
  var width: Int
  var height: Int
  static let record = Record(
    Size.init(width:height:), Field("width", \.width, "The width in pixels."),
    Field("height", \.height, "The height in pixels."))
}

/// A row's picture.
struct Entry: RecordRepresentable {
  var path: String
  var width: Int? = nil
  var height: Int? = nil
  var problem: String? = nil
  static let record = Record(
    Entry.init(path:width:height:problem:), Field("path", \.path, "The picture's path."),
    Field("width", \.width, "The width in pixels. Absent if the picture is missing."),
    Field("height", \.height, "The height in pixels. Absent if the picture is missing."),
    Field("problem", \.problem, "The error code of a missing picture. Otherwise absent."))
}

/// The answer of `collect`.
struct Collection: Sendable {
  var entries: [Entry]
  var asked: Int
  static let record = Record(
    Collection.init(entries:asked:), Field("entries", \.entries, "One entry for each row."),
    Field("asked", \.asked, "The number of requested pictures. The others were cached."))
}
