// usage: swift run -c release flow-benchmarks [NAME]...
//
// Without names it runs every benchmark. Names are matched as a whole.

/// A measurement that prints its own table.
struct Benchmark {
  let name: String
  let run: () throws -> Void
}

let benchmarks = [
  Benchmark(name: "yaml", run: YAMLLoading.run),
  Benchmark(name: "expressions", run: Expressions.run),
  Benchmark(name: "start-up", run: StartUp.run),
  Benchmark(name: "steps", run: Steps.run),
  Benchmark(name: "suite", run: Suite.run),
  Benchmark(name: "exploring", run: Exploring.run),
]

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "--steps", arguments.count == 3, let size = Int(CommandLine.arguments[2]),
  let mode = StepsMode(rawValue: CommandLine.arguments[3])
{
  try await Steps.measure(size, mode)
} else if arguments.first == "--explore" {
  try await Exploring.measure()
} else {
  for benchmark in benchmarks where arguments.isEmpty || arguments.contains(benchmark.name) {
    print("\(benchmark.name):")
    try benchmark.run()
  }
  for name in Set(arguments).subtracting(benchmarks.map(\.name)).sorted() {
    print("no benchmark is named '\(name)'")
  }
}
