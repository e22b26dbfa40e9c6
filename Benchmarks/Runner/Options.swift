import Foundation

/// What the command line asks for.
struct Options {
  struct Misuse: Error, CustomStringConvertible {
    let description: String
  }

  /// Which benchmarks; all when it is empty.
  var names: Set<String> = []
  /// The programs that are measured beside these; nil for none.
  var base: Program?
  /// How often each is measured; nil for as often as it is usual.
  var rounds: Int?
  private var json: String?
  private var plots: String?

  /// - Throws: `Misuse` for anything that is no option and no benchmark of these names.
  init(_ arguments: [String], names known: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--base": base = Program(folder: try Self.value(of: argument, &rest))
      case "--json": json = try Self.value(of: argument, &rest)
      case "--plots": plots = try Self.value(of: argument, &rest)
      case "--rounds":
        guard let number = Int(try Self.value(of: argument, &rest)), 1...1_000 ~= number
        else {
          throw Misuse(description: "--rounds needs a number, 1 to 1000")
        }
        rounds = number
      default:
        guard known.contains(argument) else {
          throw Misuse(
            description: "no benchmark is named '\(argument)'; there are "
              + known.joined(separator: ", "))
        }
        names.insert(argument)
      }
    }
  }

  private static func value(of option: String, _ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else { throw Misuse(description: "\(option) needs a value") }
    return value
  }

  /// Writes what was asked for beside the tables.
  func write(_ results: [Measurement]) throws {
    if let json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try encoder.encode(Record(results: results)).write(to: URL(fileURLWithPath: json))
    }
    guard let plots else { return }
    let folder = URL(fileURLWithPath: plots)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for plot in Plot.all(of: results) {
      try Data(plot.svg.utf8).write(to: folder.appending(path: "\(plot.name).svg"))
    }
  }
}

/// What is kept of a run of the benchmarks.
private struct Record: Encodable {
  var version = 1
  var date = Date().ISO8601Format()
  var processors = ProcessInfo.processInfo.activeProcessorCount
  let results: [Measurement]
}
