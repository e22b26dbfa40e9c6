// usage: swift run -c release flow-benchmarks [NAME]...
//
// Without names it runs every benchmark. Names are matched as a whole.

/// A measurement that prints its own table.
struct Benchmark {
  let name: String
  let run: () throws -> Void
}

let benchmarks = [
  Benchmark(name: "yaml", run: YAMLLoading.run)
]

let names = Set(CommandLine.arguments.dropFirst())
for benchmark in benchmarks where names.isEmpty || names.contains(benchmark.name) {
  print("\(benchmark.name):")
  try benchmark.run()
}
for name in names.subtracting(benchmarks.map(\.name)).sorted() {
  print("no benchmark is named '\(name)'")
}
