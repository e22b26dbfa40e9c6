import FlowCore

/// An album with a fault, with the calls of the real one otherwise.
struct FaultyAlbum: Component {
  enum Fault: String, Sendable, CaseIterable {
    case none, wrongValue, wrongPage, forgottenCall, extraCall, repeatedCall, wrongOrder
    case swappedAnswers, swallowedError, wrongAnswer, wrongStart, extraPage
  }

  let fault: Fault

  static let plugin = Plugin(
    "album", version: "1.0", "An example: the pictures of a catalog's rows.", state: .memory,
    settings: Parameter<Int>("page", "How many rows at once.", default: 10),
    Parameter<Int>("width", "How many pictures at once.", default: 4),
    uses: [rows, picture],
    operations: [
      Operation(
        "collect", "Answers pictures.", Parameter<Int>("start", "The first row.", default: 0),
        Parameter<Int>("count", "How many rows."),
        answers: Record(
          Answer.init(entries:asked:), Field("entries", \.entries, "Pictures."),
          Field("asked", \.asked, "How many.")),
        errors: [illegal, unavailable]
      ) { album, context, start, count in try await album.collect(start, count, context) }
    ]
  ) { _, _, _ in FaultyAlbum(fault: .none) }

  private static let illegal = ErrorCode("illegal", "Out of bounds.")
  private static let unavailable = ErrorCode("unavailable", "No answer.")
  private static let rows = Role("catalog", "Has the rows.").call(
    "page", Parameter<Int>("start", "The first row."), Parameter<Int>("length", "How many."),
    answers: Record(Rows.init(items:end:), Field("items", \.items, ""), Field("end", \.end, "")),
    errors: [illegal, unavailable])
  private static let picture = Role("images", "Has the pictures.").call(
    "fetch", Parameter<String>("path", "The path."),
    answers: Record(
      Size.init(width:height:), Field("width", \.width, ""), Field("height", \.height, "")),
    errors: ["missing", "broken", "forbidden", "unavailable"].map { ErrorCode($0, "") })

  private func collect(_ start: Int, _ count: Int, _ context: Context) async throws -> Answer {
    var pages: [Rows] = []
    var starts = fault == .extraPage ? [0, 2, 4] : [0, 2]
    if fault == .wrongOrder { starts.reverse() }
    for first in starts {
      let shift = fault == .wrongPage && first == 2 || fault == .wrongStart ? 1 : 0
      pages.append(try await Self.rows(first + shift, 2, in: context))
    }
    var paths = pages.flatMap(\.items).map(\.image)
    if fault == .wrongValue { paths[1] = "barn-09.png" }
    if fault == .forgottenCall { paths.removeLast() }
    if fault == .extraCall { paths.append("barn-09.png") }
    if fault == .repeatedCall { paths.append(paths[0]) }
    return try await answer(paths.sorted(), context)
  }

  private func answer(_ paths: [String], _ context: Context) async throws -> Answer {
    var entries = try await withThrowingTaskGroup(of: Entry.self) { group in
      for path in paths { group.addTask { try await entry(path, context) } }
      return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.path < $1.path }
    }
    if fault == .swappedAnswers {
      (entries[0].width, entries[1].width) = (entries[1].width, entries[0].width)
    }
    return Answer(entries: entries, asked: fault == .wrongAnswer ? 3 : 4)
  }

  private func entry(_ path: String, _ context: Context) async throws -> Entry {
    do {
      let size = try await Self.picture(path, in: context)
      return Entry(path: path, width: size.width, height: size.height)
    } catch let error as ComponentError where error.code != .unexpected {
      let problem = fault == .swallowedError ? nil : error.code.name
      return Entry(path: path, problem: problem)
    } catch  where fault == .wrongValue || fault == .extraCall {
      // What has no answer must not be made undone by what the component does with it.
      return Entry(path: path)
    }
  }
}

private struct Row: RecordRepresentable {
  var image: String
  static let record = Record(Row.init(image:), Field("image", \.image, ""))
}

private struct Rows: Sendable {
  var items: [Row]
  var end: Bool
}

private struct Size: Sendable {
  var width: Int
  var height: Int
}

private struct Entry: RecordRepresentable {
  var path: String
  var width: Int? = nil
  var height: Int? = nil
  var problem: String? = nil
  static let record = Record(
    Entry.init(path:width:height:problem:), Field("path", \.path, ""),
    Field("width", \.width, ""), Field("height", \.height, ""), Field("problem", \.problem, ""))
}

private struct Answer: Sendable {
  var entries: [Entry]
  var asked: Int
}
