import Foundation

/// The options of the command line.
struct Options {
  struct Misuse: Error, CustomStringConvertible {
    let description: String
  }

  /// The names of the benchmarks, or none for all.
  var names: Set<String> = []
  /// The programs measured beside these, or nil for none.
  var base: Program?
  /// The number of rounds, or nil for the usual number of each benchmark.
  var rounds: Int?
  private var json: String?
  private var plots: String?

  /// - Throws: `Misuse` for arguments that are neither options nor benchmarks of these names.
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

  /// Writes the requested files beside the tables.
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

/// The stored record of a run of the benchmarks.
private struct Record: Encodable {
  var version = 1
  var date = Date().ISO8601Format()
  var processors = ProcessInfo.processInfo.activeProcessorCount
  let results: [Measurement]
}
