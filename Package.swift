// swift-tools-version: 6.2
import PackageDescription

// A C library comes from the system: Debian and Ubuntu (`apt`) or Homebrew (`brew`).
let package = Package(
  name: "flow",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "FlowCore", targets: ["FlowCore"])
  ],
  targets: [
    .systemLibrary(
      name: "CYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .systemLibrary(
      name: "CNettle", pkgConfig: "nettle",
      providers: [.apt(["nettle-dev"]), .brew(["nettle"])]),
    .target(name: "FlowCore", dependencies: ["CNettle"]),
    .target(name: "FlowYAML", dependencies: ["CYAML"]),
    .testTarget(name: "FlowYAMLTests", dependencies: ["FlowYAML"]),

    .target(
      name: "BalancePlugin", dependencies: ["FlowCore"], path: "Plugins/Balance/Sources",
      packageAccess: false),
    .testTarget(
      name: "BalancePluginTests", dependencies: ["BalancePlugin", "FlowCore", "PluginHarness"],
      path: "Plugins/Balance/Tests"),
    .target(
      name: "CatalogPlugin", dependencies: ["FlowCore"], path: "Plugins/Catalog/Sources",
      packageAccess: false),
    .testTarget(
      name: "CatalogPluginTests", dependencies: ["CatalogPlugin", "FlowCore", "PluginHarness"],
      path: "Plugins/Catalog/Tests"),
    .target(
      name: "ImagesPlugin", dependencies: ["FlowCore"], path: "Plugins/Images/Sources",
      packageAccess: false),
    .testTarget(
      name: "ImagesPluginTests", dependencies: ["ImagesPlugin", "FlowCore", "PluginHarness"],
      path: "Plugins/Images/Tests"),
    .target(name: "PluginHarness", dependencies: ["FlowCore"], path: "Tests/PluginHarness"),
    .target(
      name: "CounterPlugin", dependencies: ["FlowCore"],
      path: "Tests/DocumentationTests/Counter/Sources", packageAccess: false),
    .testTarget(
      name: "CounterPluginTests", dependencies: ["CounterPlugin", "FlowCore", "PluginHarness"],
      path: "Tests/DocumentationTests/Counter/Tests"),
    .testTarget(
      name: "DocumentationTests", dependencies: ["FlowCore"], exclude: ["Counter"]),

    .target(name: "CEventLoop", dependencies: ["CYAML"], path: "Benchmarks/CEventLoop"),
    .executableTarget(
      name: "flow-benchmarks", dependencies: ["CEventLoop", "FlowYAML"], path: "Benchmarks/Runner"),
  ]
)

// One loop gives every Swift target the same rules; a target that needs another rule does not exist.
for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}
