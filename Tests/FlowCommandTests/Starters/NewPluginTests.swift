import FlowCommand
import Foundation
import TestKit
import Testing

/// Packages created by `flow new plugin`.
@Suite struct NewPluginTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func new(_ arguments: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(["new", "plugin"] + arguments, in: folder)
  }

  @Test func `a package is written, and what comes next is said`() async throws {
    let run = try await new("my_store", "@/store", "--flow", ProjectFiles.root)

    #expect(run.errors == "")
    #expect(
      run.output == """
        wrote @/store/Package.swift
        wrote @/store/Sources/MyStorePlugin/MyStore.swift
        wrote @/store/Sources/flow-my_store/main.swift
        wrote @/store/Tests/MyStorePluginTests/MyStoreTests.swift
        wrote @/store/Tests/MyStorePluginTests/MyStoreChecksTests.swift
        wrote @/store/Scenarios/my_store.yaml
        wrote @/store/README.md
        wrote @/store/.gitignore

        next, in @/store:
          swift test                              runs the checks of components, and the component itself
          swift run flow-my_store test Scenarios  runs the scenario, and records it
          Sources/MyStorePlugin/MyStore.swift     is the component, to be changed

        """)
    #expect(run.code == .passed)
  }

  @Test(arguments: [
    ("Sources/CounterPlugin/Counter.swift", "Sources/Counter.swift"),
    ("Tests/CounterPluginTests/CounterTests.swift", "Tests/CounterTests.swift"),
    ("Tests/CounterPluginTests/CounterChecksTests.swift", "Tests/CounterChecksTests.swift"),
    ("Scenarios/counter.yaml", "count.yaml"),
  ])
  func `a plugin called counter is the one that is compiled with the pages`(
    _ file: String, _ compiled: String
  ) async throws {
    _ = try await new("counter", "@/new", "--flow", ProjectFiles.root)
    let path = "\(ProjectFiles.root)/Tests/DocumentationTests/Counter/\(compiled)"
    let page = try String(contentsOfFile: path, encoding: .utf8)

    #expect(
      try folder.text("new/\(file)")
        == page.replacing("DocumentedCounter", with: "CounterPlugin")
        .replacing("../count.yaml", with: "../../Scenarios/counter.yaml"))
  }

  @Test(arguments: [
    (
      ProjectFiles.root, #".package(name: "flow", path: "\#(ProjectFiles.root)")"#, "flow"
    ),
    (
      "https://example.org/tools/flow-fork.git",
      #".package(url: "https://example.org/tools/flow-fork.git", branch: "main")"#, "flow-fork"
    ),
    (
      "git@example.org:flow.git",
      #".package(url: "git@example.org:flow.git", branch: "main")"#, "flow"
    ),
  ])
  func `the package depends on flow by its folder or its address`(
    _ source: String, _ dependency: String, _ package: String
  ) async throws {
    _ = try await new("weather", "@/w", "--flow", source)

    #expect(
      try folder.text("w/Package.swift") == """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
          name: "flow-weather",
          platforms: [.macOS(.v15)],
          dependencies: [\(dependency)],
          targets: [
            .target(
              name: "WeatherPlugin", dependencies: [.product(name: "FlowCore", package: "\(package)")]),
            .executableTarget(
              name: "flow-weather",
              dependencies: ["WeatherPlugin", .product(name: "FlowCommand", package: "\(package)")]),
            .testTarget(
              name: "WeatherPluginTests",
              dependencies: [
                "WeatherPlugin", .product(name: "FlowCore", package: "\(package)"),
                .product(name: "FlowTesting", package: "\(package)"),
              ]),
          ]
        )

        """)
  }

  @Test(arguments: [("alarm", 0), ("meter", 1)])
  func `imports are in order whatever the name`(_ name: String, _ place: Int) async throws {
    _ = try await new(name, "@/new", "--flow", ProjectFiles.root)
    let type = name.prefix(1).uppercased() + name.dropFirst()
    let test = try folder.text("new/Tests/\(type)PluginTests/\(type)ChecksTests.swift")

    var imports = ["import FlowTesting", "import Testing"]
    imports.insert("import \(type)Plugin", at: place)
    #expect(test.hasPrefix(imports.joined(separator: "\n") + "\n\n"))
  }

  @Test(arguments: ["encounter", "myCounter"])
  func `a name that contains that of the template is kept whole`(_ name: String) async throws {
    _ = try await new(name, "@/new", "--flow", ProjectFiles.root)
    let type = name.prefix(1).uppercased() + name.dropFirst()
    let component = try folder.text("new/Sources/\(type)Plugin/\(type).swift")

    #expect(component.contains("public actor \(type): Component {"))
    #expect(component.contains("    \"\(name)\", version: \"1.0\","))
  }

  @Test(arguments: [
    ("Weather", "it must start with a lower-case letter and have only letters, digits and '_'"),
    ("my-store", "it must start with a lower-case letter and have only letters, digits and '_'"),
    ("", "it must start with a lower-case letter and have only letters, digits and '_'"),
    ("protocol", "it is a keyword of Swift"),
    ("null", "YAML may read it as a value, not as a name"),
    ("off", "YAML may read it as a value, not as a name"),
    ("context", "the generated code uses this name"),
    ("string", "its type would be 'String', which already exists"),
    ("flow_core", "its type would be 'FlowCore', which already exists"),
  ])
  func `a name that Swift cannot have is refused`(_ name: String, _ problem: String) async throws {
    let run = try await new(name, "@/new", "--flow", ProjectFiles.root)

    #expect(
      run.errors
        == "flow: '\(name)' cannot be the name of a plugin: \(problem)\nsee 'flow help new'\n")
    #expect(run.code == .badCommandLine)
    #expect(try folder.names == [])
  }

  @Test(arguments: [
    (["new"], "plugin is missing"), (["new", "plugin"], "NAME is missing"),
    (["new", "plugn", "a"], "unknown command 'new plugn'; did you mean 'plugin'?"),
    (
      ["new", "plugin", "a"],
      "'--flow' is missing: the folder of flow's own package, or its address"
    ),
    (["new", "plugin", "a", "b", "c"], "unexpected argument 'c'"),
  ])
  func `what is missing is named`(_ arguments: [String], _ problem: String) async throws {
    let run = try await FlowCommandRun(arguments, in: folder)

    #expect(run.errors == "flow: \(problem)\nsee 'flow help new'\n")
    #expect(run.code == .badCommandLine)
  }

  @Test func `a folder with a package comes before an address`() async throws {
    let source = folder.path("p@q")
    try folder.write("", to: "p@q/Package.swift")
    let run = try await new("weather", "@/w", "--flow", source)

    #expect(run.code == .passed)
    #expect(
      try folder.text("w/Package.swift").contains(
        #"dependencies: [.package(name: "flow", path: "\#(source)")]"#))
  }

  @Test func `a folder that is no package is refused`() async throws {
    let run = try await new("weather", "@/new", "--flow", "@/")

    #expect(run.errors == "flow: '@/' has no Package.swift\n")
    #expect(run.code == .badInput)
  }

  @Test func `nothing is overwritten`() async throws {
    try folder.write("mine\n", to: "new/README.md")
    let run = try await new("weather", "@/new", "--flow", ProjectFiles.root)

    #expect(run.errors == "flow: '@/new/README.md' already exists; nothing was written\n")
    #expect(try folder.names(in: "new") == ["README.md"])
    #expect(run.code == .cannotWrite)
  }

  /// True if the tests that compile all of `flow`, for minutes, are to run.
  @Test(.enabled(if: isStressed, "FLOW_STRESS=1 builds a new package, which takes minutes"))
  func `a new package builds, and its tests pass`() async throws {
    _ = try await new("weather", "@/new", "--flow", ProjectFiles.root)
    let ending = try ChildProcess(
      "/usr/bin/env",
      ["sh", "-c", "swift test 2>&1 && swift run flow-weather test Scenarios 2>&1"],
      in: folder.path("new")
    ).ending()

    #expect(ending.code == 0, "\(ending.output)")
    #expect(ending.output.contains("recorded Scenarios/weather.yaml"))
  }

  private static let isStressed = ProcessInfo.processInfo.environment["FLOW_STRESS"] != nil
}
