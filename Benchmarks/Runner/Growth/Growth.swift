import Foundation

/// A kind of input of any size, and the command of `flow` that reads it.
struct Surface: Sendable {
  let name: String
  /// The first measured size.
  let first: Int
  /// Writes inputs of a size to the folder and returns the arguments of `flow`.
  let arguments: @Sendable (Int, GrowthFolder) throws -> [String]

  init(
    _ name: String, from first: Int = 500,
    _ arguments: @escaping @Sendable (Int, GrowthFolder) throws -> [String]
  ) {
    self.name = name
    self.first = first
    self.arguments = arguments
  }
}

/// The growth of the processor time of whole processes when their inputs double.
///
/// Below 2 is sublinear (the start of the process), 2 is linear, 4 is quadratic.
enum Growth {
  /// The greatest factor of a doubling that still counts as linear.
  static let most = 2.3
  /// The measured time of a process, so long that its start and the clock do not matter.
  private static let enough = 400.0
  private static let mostDoublings = 14
  private static let rounds = 3

  static let surfaces =
    Surface.documents + Surface.scenarios + Surface.expressions + Surface.imports
    + Surface.comparisons + Surface.redactions + Surface.reports + Surface.components

  /// Measures the surfaces with names that start with one of these, or all of them.
  static func run(_ names: [String]) throws {
    var rows = [["", "size", "ms", "a doubling", "exponent", ""]]
    for surface in surfaces where names.isEmpty || names.contains(where: surface.name.hasPrefix) {
      let row = try row(surface)
      rows.append(row)
      // An interrupted measurement is not lost.
      FileHandle.standardError.write(Data((row.joined(separator: "  ") + "\n").utf8))
    }
    print("\ngrowth:")
    printTable(rows)
  }

  private static func row(_ surface: Surface) throws -> [String] {
    let folder = try GrowthFolder()
    defer { folder.remove() }
    let start = try cost(surface, 1, folder)
    var size = surface.first
    for _ in 0..<mostDoublings {
      if try cost(surface, size, folder) - start > enough { break }
      size *= 2
    }
    let quarter = try cost(surface, max(1, size / 4), folder) - start
    let whole = try cost(surface, size, folder) - start
    // Of two doublings, since in one alone a table may outgrow the processor's cache.
    let factor = (whole / max(quarter, 0.1)).squareRoot()
    // The largest size is too fast, or refused, so the cost is bounded.
    let isBounded = whole < 0.8 * enough
    return [
      surface.name, "\(size)", decimal(max(0, whole)), isBounded ? "" : hundredths(factor),
      isBounded ? "bounded" : hundredths(max(0, log2(factor))),
      !isBounded && factor > most ? "not linear" : "",
    ]
  }

  /// The least processor time of a few runs, in milliseconds.
  private static func cost(
    _ surface: Surface, _ size: Int, _ folder: GrowthFolder
  ) throws -> Double {
    let arguments = try surface.arguments(size, folder)
    var least = Double.infinity
    for _ in 0..<rounds {
      folder.forget()
      let command = [folder.program] + arguments
      least = min(least, try ChildProcess.run(command, failsWith: [1, 65]).processor)
      // A single run that is far too long is enough.
      if least > 5 * enough { break }
    }
    return least
  }
}

/// The folder of one surface, which is the working directory of the benchmarks.
struct GrowthFolder {
  private let url: URL
  /// The command line, from any folder.
  let program: String
  private let before: String

  init() throws {
    program = URL(fileURLWithPath: Program.present.flow).path
    url = FileManager.default.temporaryDirectory.appending(path: "flow-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    before = FileManager.default.currentDirectoryPath
    _ = FileManager.default.changeCurrentDirectoryPath(url.path)
    try write("flow: 1\n", to: "flow.yaml")
  }

  func remove() {
    _ = FileManager.default.changeCurrentDirectoryPath(before)
    try? FileManager.default.removeItem(at: url)
  }

  /// Removes the output of a run, which would affect the next one.
  func forget() { try? FileManager.default.removeItem(at: url.appending(path: "new.jsonl")) }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: url.appending(path: name))
  }

  /// Writes a scenario with these lines below `steps`, after a head.
  func scenario(_ steps: String, before head: String = "") throws {
    try write("flow: 1\n\(head)steps:\n\(steps)", to: "s.yaml")
  }

  /// Runs `flow` in the folder, before the measurement.
  func flow(_ arguments: String...) throws {
    // Under `CI` no transcript is written beside its scenario.
    try ChildProcess.run(["/usr/bin/env", "-u", "CI", program] + arguments, failsWith: [1])
  }

  func move(_ name: String, to other: String) throws {
    _ = try? FileManager.default.removeItem(at: url.appending(path: other))
    try FileManager.default.moveItem(
      at: url.appending(path: name), to: url.appending(path: other))
  }
}

/// The texts of the numbers up to one, one after the other.
func each(_ count: Int, separator: String = "", _ text: (Int) -> String) -> String {
  (0..<count).map(text).joined(separator: separator)
}
