// usage: flow-benchmarks [--base FOLDER] [--rounds N] [--json FILE] [--plots FOLDER] [NAME]...
//        flow-benchmarks growth [NAME]...
//
// Without names it runs every benchmark. `--base` names a folder with another `flow-benchmarks` and another `flow`, which
// are measured in turns with these; Scripts/bench builds them from another commit. `--json` writes all samples,
// `--plots` a picture of each benchmark that has sizes. A table at the end says what is to be reached, and what is.
//
// `growth` doubles inputs until `flow` takes long, and prints by what the time grows; names are beginnings of surfaces.

import Foundation

let benchmarks = [
  YAMLLoading.benchmark, Expressions.benchmark, StartUp.benchmark, Steps.benchmark,
  Branches.benchmark, DatabaseJournals.benchmark, Suite.benchmark, Exploring.benchmark,
]

let arguments = Array(CommandLine.arguments.dropFirst())
if let mode = arguments.first, mode.hasPrefix("--"), let child = Child(rawValue: mode) {
  try await child.measure(Array(arguments.dropFirst()))
} else {
  do {
    if arguments.first == "growth" {
      try Growth.run(Array(arguments.dropFirst()))
      exit(0)
    }
    try measure(Options(arguments, names: benchmarks.map(\.name)))
  } catch {
    FileHandle.standardError.write(Data("flow-benchmarks: \(error)\n".utf8))
    exit(error is Options.Misuse ? 64 : 1)
  }
}

/// Runs what was asked for; a table of each benchmark is printed as soon as it has one.
func measure(_ options: Options) throws {
  var all: [Measurement] = []
  for benchmark in benchmarks where options.names.isEmpty || options.names.contains(benchmark.name)
  {
    let measured = try benchmark.measured(options)
    print("\(benchmark.name):")
    printTable(measured.rows(hasBase: options.base != nil))
    all += measured
  }
  let goals = all.goalRows
  if !goals.isEmpty {
    print("goals:")
    printTable(goals)
  }
  try options.write(all)
}
