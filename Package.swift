// swift-tools-version: 6.2
import PackageDescription

// pkg-config's file of RE2 has `-pthread`, which SwiftPM warns of in each build; only Homebrew's folders need it.
#if os(macOS)
  let re2Configuration: String? = "re2"
#else
  let re2Configuration: String? = nil
#endif

// A C library comes from the system: Debian and Ubuntu (`apt`) or Homebrew (`brew`).
let package = Package(
  name: "flow",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "flow", targets: ["flow-cli"]),
    .library(name: "FlowCore", targets: ["FlowCore"]),
    .library(name: "FlowTesting", targets: ["FlowTesting"]),
    .library(name: "FlowXCTest", targets: ["FlowXCTest"]),
    .library(name: "FlowCommand", targets: ["FlowCommand"]),
    // For packages with a flow of their own; those of the examples are no use elsewhere.
    .library(name: "BrowserPlugin", targets: ["BrowserPlugin"]),
    .library(name: "DatabaseProxyPlugin", targets: ["DatabaseProxyPlugin"]),
    .library(name: "FilePlugin", targets: ["FilePlugin"]),
    .library(name: "GRPCPlugin", targets: ["GRPCPlugin"]),
    .library(name: "HTTPPlugin", targets: ["HTTPPlugin"]),
    .library(name: "MCPPlugin", targets: ["MCPPlugin"]),
    .library(name: "ProcessPlugin", targets: ["ProcessPlugin"]),
    .library(name: "RandomPlugin", targets: ["RandomPlugin"]),
    .library(name: "SQLPlugin", targets: ["SQLPlugin"]),
    .library(name: "TimePlugin", targets: ["TimePlugin"]),
    .library(name: "UpstreamPlugin", targets: ["UpstreamPlugin"]),
    .library(name: "WebSocketPlugin", targets: ["WebSocketPlugin"]),
  ],
  targets: [
    .systemLibrary(
      name: "CYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .systemLibrary(
      name: "CNettle", pkgConfig: "nettle",
      providers: [.apt(["nettle-dev"]), .brew(["nettle"])]),
    .systemLibrary(
      name: "CRE2Library", pkgConfig: re2Configuration,
      providers: [.apt(["libre2-dev"]), .brew(["re2"])]),
    .target(
      name: "CRE2", dependencies: ["CRE2Library"], linkerSettings: [.linkedLibrary("re2")]),
    .systemLibrary(
      name: "CSQLite", path: "Plugins/SQL/CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "CLibrary"),
    .target(name: "CIDN2", dependencies: ["CLibrary"]),
    .target(name: "CPostgreSQL", dependencies: ["CLibrary"]),
    .target(name: "CXML2", dependencies: ["CLibrary"]),
    .target(name: "CGumbo", dependencies: ["CLibrary"]),
    .target(name: "CSystem"),
    .target(
      name: "CCharset",
      // Elsewhere it is in the C library.
      linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),
    .target(name: "CTexts", exclude: ["Texts"]),
    .target(name: "FlowTexts", dependencies: ["CTexts"]),
    .target(name: "FlowSystem", dependencies: ["CLibrary", "CSystem", "CCharset", "CNettle"]),
    .target(name: "FlowPattern", dependencies: ["CRE2"]),
    .target(name: "FlowMarkup", dependencies: ["FlowSystem", "CGumbo", "CXML2"]),
    .target(name: "FlowPostgreSQL", dependencies: ["FlowSystem", "CPostgreSQL"]),
    .target(name: "FlowDatabase", dependencies: ["FlowPostgreSQL", "FlowSystem"]),
    .target(name: "FlowCore", dependencies: ["FlowSystem"]),
    .target(name: "FlowRedaction", dependencies: ["FlowCore", "FlowSystem"]),
    .target(name: "FlowYAML", dependencies: ["FlowSystem", "CYAML"]),
    .target(
      name: "FlowExpression", dependencies: ["FlowCore", "FlowSystem", "FlowPattern", "FlowMarkup"]),
    .target(
      name: "FlowSchema",
      dependencies: ["FlowCore", "FlowSystem", "FlowPattern", "FlowTexts", "CIDN2"]),
    .target(
      name: "FlowOpenAPI",
      dependencies: ["FlowSchema", "FlowCore", "FlowSystem"]),
    .target(name: "FlowGraphQL", dependencies: ["FlowCore", "FlowSystem"]),
    .target(name: "FlowSQL", dependencies: ["FlowCore"]),
    .target(
      name: "FlowPlan", dependencies: ["FlowRedaction", "FlowCore", "FlowSystem", "FlowExpression"]),
    .target(
      name: "FlowScenario",
      dependencies: [
        "FlowPlan", "FlowYAML", "FlowRedaction", "FlowCore", "FlowSystem", "FlowExpression",
        "FlowSchema", "FlowTexts",
      ]),
    .target(
      name: "FlowEngine",
      dependencies: ["FlowPlan", "FlowRedaction", "FlowCore", "FlowSystem", "FlowExpression"]),
    .target(
      name: "FlowTranscript",
      dependencies: [
        "FlowEngine", "FlowPlan", "FlowExpression", "FlowRedaction", "FlowCore", "FlowSystem",
      ]),
    .target(
      name: "FlowExplore",
      dependencies: [
        "FlowTranscript", "FlowEngine", "FlowPlan", "FlowOpenAPI", "FlowRedaction", "FlowCore",
        "FlowSystem",
      ]),
    .target(name: "CZlib", dependencies: ["CLibrary"]),
    .target(
      name: "FlowReport",
      dependencies: [
        "FlowExplore", "FlowTranscript", "FlowEngine", "FlowPlan", "FlowScenario", "FlowExpression",
        "FlowRedaction", "FlowCore", "FlowSystem", "FlowTexts", "CZlib",
      ]),
    .target(
      name: "FlowEditor",
      dependencies: [
        "FlowReport", "FlowTranscript", "FlowEngine", "FlowPlan", "FlowScenario", "FlowExpression",
        "FlowYAML",
        "FlowRedaction", "FlowCore", "FlowSystem",
      ]),
    .target(
      name: "FlowTesting",
      dependencies: [
        "FlowTranscript", "FlowEngine", "FlowPlan", "FlowScenario", "FlowRedaction", "FlowCore",
        "FlowSystem",
      ]),
    .target(name: "FlowXCTest", dependencies: ["FlowTesting", "FlowCore"]),
    .target(
      name: "FlowImport",
      dependencies: [
        "FlowYAML", "FlowExpression", "FlowMarkup", "FlowOpenAPI", "FlowSchema", "FlowRedaction",
        "FlowCore", "FlowSystem",
      ]),
    .target(
      name: "FlowCommand",
      dependencies: [
        "FlowDatabase", "FlowEditor", "FlowExplore", "FlowImport", "FlowReport", "FlowTranscript",
        "FlowEngine", "FlowPlan", "FlowOpenAPI", "FlowScenario", "FlowExpression", "FlowRedaction",
        "FlowCore", "FlowSystem", "FlowTexts",
      ]),
    .executableTarget(
      name: "flow-cli",
      dependencies: [
        "FlowCommand", "FlowCore", "AlbumPlugin", "BalancePlugin", "BrowserPlugin", "CatalogPlugin",
        "DatabaseProxyPlugin", "FilePlugin", "GRPCPlugin", "HTTPPlugin", "ImagesPlugin",
        "MCPPlugin", "ProcessPlugin",
        "RandomPlugin", "SQLPlugin", "ScreensPlugin", "TimePlugin", "UpstreamPlugin",
        "WebSocketPlugin",
      ]),

    .testTarget(name: "FlowMarkupTests", dependencies: ["FlowMarkup"]),
    .testTarget(name: "FlowPatternTests", dependencies: ["FlowPattern"]),
    .testTarget(name: "FlowYAMLTests", dependencies: ["FlowYAML", "FlowSystem", "TestKit"]),
    .testTarget(
      name: "FlowExpressionTests",
      dependencies: ["FlowExpression", "FlowCore", "FlowSystem", "TestKit"]),
    .testTarget(
      name: "FlowSchemaTests",
      dependencies: ["FlowSchema", "FlowCore", "FlowSystem", "TestKit"]),
    .testTarget(
      name: "FlowOpenAPITests",
      dependencies: [
        "FlowOpenAPI", "FlowSchema", "FlowScenario", "FlowCore", "FlowSystem", "TestKit",
      ]),
    .testTarget(name: "FlowSQLTests", dependencies: ["FlowSQL", "FlowCore"]),
    .testTarget(
      name: "FlowGraphQLTests",
      dependencies: ["FlowGraphQL", "FlowScenario", "FlowCore", "FlowSystem", "TestKit"],
      exclude: ["verdicts.py"]),
    .testTarget(
      name: "FlowSystemTests", dependencies: ["CLibrary", "FlowCore", "FlowSystem", "TestKit"]),
    .testTarget(
      name: "FlowDatabaseTests", dependencies: ["FlowDatabase", "FlowSystem", "TestKit"]),
    .testTarget(
      name: "FlowRedactionTests", dependencies: ["FlowRedaction", "FlowCore"]),
    .testTarget(
      name: "FlowCoreTests", dependencies: ["FlowCore", "FlowSystem", "TestKit"]),
    .testTarget(
      name: "FlowPlanTests",
      dependencies: [
        "FlowPlan", "FlowScenario", "FlowExpression", "FlowEngine", "FlowCore", "TestKit",
      ]),
    .testTarget(
      name: "FlowScenarioTests",
      dependencies: [
        "FlowPlan", "FlowScenario", "FlowExpression", "FlowRedaction", "FlowCore", "FlowSystem",
        "FlowEngine",
        "TestKit",
      ]),
    .testTarget(
      name: "FlowReportTests",
      dependencies: [
        "FlowReport", "FlowEngine", "FlowPlan", "FlowScenario", "FlowRedaction", "FlowCore",
        "FlowSystem",
        "TestKit",
      ],
      exclude: ["Golden"]),
    .testTarget(
      name: "FlowEditorTests",
      dependencies: [
        "flow-cli", "FlowEditor", "FlowCommand", "FlowEngine", "FlowExpression", "FlowPlan",
        "FlowScenario",
        "FlowSchema", "FlowYAML", "FlowRedaction", "FlowCore", "FlowSystem", "AlbumPlugin",
        "BalancePlugin", "BrowserPlugin", "CatalogPlugin", "DatabaseProxyPlugin", "FilePlugin",
        "HTTPPlugin",
        "ImagesPlugin", "MCPPlugin", "ProcessPlugin", "RandomPlugin", "SQLPlugin", "ScreensPlugin",
        "TimePlugin", "UpstreamPlugin", "WebSocketPlugin", "TestKit",
      ]),
    .testTarget(
      name: "FlowEngineTests",
      dependencies: [
        "FlowEngine", "FlowPlan", "FlowScenario", "FlowExpression", "FlowRedaction", "FlowCore",
        "TestKit",
      ]),
    .testTarget(
      name: "FlowTranscriptTests",
      dependencies: [
        "Shopping", "FlowTranscript", "FlowTesting", "FlowEngine", "FlowPlan", "FlowScenario",
        "FlowRedaction",
        "FlowCore", "FlowSystem", "AlbumPlugin", "BalancePlugin", "CatalogPlugin", "ImagesPlugin",
        "TestKit",
      ]),
    .testTarget(
      name: "FlowExploreTests",
      dependencies: [
        "flow-cli", "FlowExplore", "FlowCommand", "FlowTranscript", "FlowEngine", "FlowPlan",
        "FlowOpenAPI", "FlowScenario",
        "FlowCore", "BalancePlugin", "FilePlugin", "ScreensPlugin", "TestKit",
      ]),
    .testTarget(
      name: "FlowTestingTests",
      dependencies: [
        "flow-cli", "Shopping", "FlowTesting", "FlowXCTest", "FlowEngine", "FlowCore",
        "AlbumPlugin", "BalancePlugin", "CatalogPlugin", "FilePlugin", "ImagesPlugin",
        "ScreensPlugin", "TestKit",
      ]),
    .testTarget(
      name: "FlowImportTests",
      dependencies: [
        "FlowImport", "FlowCommand", "FlowScenario", "FlowSchema", "FlowYAML", "FlowCore",
        "FilePlugin", "HTTPPlugin", "RandomPlugin", "TimePlugin", "UpstreamPlugin", "TestKit",
      ]),
    .testTarget(
      name: "FlowCommandTests",
      dependencies: [
        "flow-cli", "FlowCommand", "FlowEditor", "FlowSchema", "FlowScenario", "FlowRedaction",
        "FlowCore", "FlowSystem", "TestKit",
      ]),
    .testTarget(
      name: "SecretTests",
      dependencies: [
        "FlowCommand", "FlowTesting", "FlowCore", "BalancePlugin", "CatalogPlugin", "ImagesPlugin",
        "TestKit",
      ]),
    .testTarget(
      name: "ScenarioTests",
      dependencies: [
        "FlowCommand", "FlowReport", "FlowRedaction", "FlowTesting", "FlowTranscript", "FlowPlan",
        "FlowScenario", "FlowYAML",
        "FlowExpression", "FlowCore", "FlowSystem", "AlbumPlugin", "BalancePlugin",
        "BrowserPlugin", "CatalogPlugin", "DatabaseProxyPlugin", "FilePlugin", "HTTPPlugin",
        "ImagesPlugin",
        "ProcessPlugin", "RandomPlugin", "SQLPlugin", "ScreensPlugin", "TimePlugin",
        "UpstreamPlugin", "WebSocketPlugin", "TestKit",
      ]),
    .testTarget(
      name: "IntegrationTests", dependencies: ["TestKit"], exclude: ["Samples"]),
    .testTarget(
      name: "ProgramTests",
      dependencies: [
        "flow-cli", "flow-shopping", "shop-server", "FlowDatabase", "FlowTesting", "FlowCore",
        "BalancePlugin", "HTTPPlugin", "SQLPlugin", "TestKit",
      ],
      exclude: ["WatchedServices"]),
    .target(
      name: "TestKit",
      dependencies: [
        "FlowCommand", "FlowEngine", "FlowPlan", "FlowScenario", "FlowSchema", "FlowRedaction",
        "FlowCore", "FlowProcess",
      ],
      path: "Tests/TestKit"),
    .target(name: "Shopping", dependencies: ["FlowCore"], path: "Tests/Shopping/Component"),
    .executableTarget(
      name: "flow-shopping", dependencies: ["Shopping", "FlowCommand", "BalancePlugin"],
      path: "Tests/Shopping/Program"),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "FlowCommand", "FlowTranscript", "FlowEngine", "FlowPlan", "FlowScenario", "FlowExpression",
        "FlowYAML",
        "FlowRedaction", "FlowCore", "FlowSystem", "BalancePlugin", "CatalogPlugin", "ImagesPlugin",
      ],
      path: "Tests/Fuzz/Targets"),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "FlowCore"], exclude: ["Found"]),

    .target(
      name: "AlbumPlugin", dependencies: ["FlowCore"], path: "Plugins/Album/Sources",
      packageAccess: false),
    .testTarget(
      name: "AlbumPluginTests",
      dependencies: [
        "AlbumPlugin", "CatalogPlugin", "ImagesPlugin", "FlowCore", "FlowTesting", "TestKit",
      ],
      path: "Plugins/Album/Tests"),
    .target(
      name: "BalancePlugin", dependencies: ["FlowCore"], path: "Plugins/Balance/Sources",
      packageAccess: false),
    .testTarget(
      name: "BalancePluginTests",
      dependencies: ["BalancePlugin", "HTTPPlugin", "FlowCore", "FlowTesting", "TestKit"],
      path: "Plugins/Balance/Tests"),
    .target(
      name: "BrowserPlugin", dependencies: ["FlowCore"], path: "Plugins/Browser/Sources",
      packageAccess: false),
    .testTarget(
      name: "BrowserPluginTests",
      dependencies: [
        "BrowserPlugin", "FilePlugin", "HTTPPlugin", "ProcessPlugin", "FlowCommand", "FlowCore",
        "FlowTesting", "TestKit",
      ],
      path: "Plugins/Browser/Tests", exclude: ["report.yaml"]),
    .target(
      name: "CatalogPlugin", dependencies: ["FlowCore"], path: "Plugins/Catalog/Sources",
      packageAccess: false),
    .testTarget(
      name: "CatalogPluginTests",
      dependencies: ["CatalogPlugin", "FlowCore", "FlowTesting", "TestKit"],
      path: "Plugins/Catalog/Tests"),
    .target(
      name: "ProtobufCoding", dependencies: ["FlowCore"], path: "Plugins/GRPC/Protobuf",
      packageAccess: false),
    .target(
      name: "GRPCCoding", dependencies: ["HTTPCoding", "FlowCore"], path: "Plugins/GRPC/Coding",
      packageAccess: false),
    .target(name: "CHTTP2", dependencies: ["CLibrary"], path: "Plugins/GRPC/C"),
    .target(
      name: "GRPCPlugin",
      dependencies: [
        "GRPCCoding", "ProtobufCoding", "HTTPPlugin", "Subprocess", "CHTTP2", "CZlib", "FlowCore",
      ],
      path: "Plugins/GRPC/Sources", packageAccess: false),
    .testTarget(
      name: "GRPCPluginTests",
      dependencies: [
        "GRPCPlugin", "GRPCCoding", "ProtobufCoding", "FlowCommand", "FlowCore", "FlowTesting",
        "TestKit",
      ],
      path: "Plugins/GRPC/Tests",
      exclude: ["hostile.py", "messages.py", "requirements.txt", "server.py", "test.proto"]),
    .target(name: "CCurl", dependencies: ["CLibrary"], path: "Plugins/HTTP/CCurl"),
    .target(name: "CCoding", dependencies: ["CLibrary"], path: "Plugins/HTTP/CCoding"),
    .target(
      name: "HTTPCoding", dependencies: ["CCoding"], path: "Plugins/HTTP/Coding",
      packageAccess: false),
    .target(
      name: "HTTPPlugin",
      dependencies: [
        "FlowCore", "FlowGraphQL", "FlowOpenAPI", "FlowSchema", "CCurl", "HTTPCoding",
      ],
      path: "Plugins/HTTP/Sources",
      packageAccess: false),
    .testTarget(
      name: "HTTPPluginTests",
      dependencies: [
        "HTTPPlugin", "FlowCommand", "FlowImport", "FlowCore", "FlowTesting", "TestKit",
      ],
      path: "Plugins/HTTP/Tests"),
    .target(
      name: "DatabaseProxyPlugin", dependencies: ["FlowPostgreSQL", "FlowSQL", "FlowCore"],
      path: "Plugins/DatabaseProxy/Sources", packageAccess: false),
    .testTarget(
      name: "DatabaseProxyPluginTests",
      dependencies: [
        "DatabaseProxyPlugin", "SQLPlugin", "FlowSQL", "FlowCore", "FlowTesting", "TestKit",
      ],
      path: "Plugins/DatabaseProxy/Tests", exclude: ["requirements.txt"]),
    .target(
      name: "ImagesPlugin", dependencies: ["FlowCore"], path: "Plugins/Images/Sources",
      packageAccess: false),
    .testTarget(
      name: "ImagesPluginTests",
      dependencies: ["ImagesPlugin", "FlowCore", "FlowTesting", "TestKit"],
      path: "Plugins/Images/Tests"),
    .target(
      name: "FilePlugin", dependencies: ["FlowCore"], path: "Plugins/File/Sources",
      packageAccess: false),
    .testTarget(
      name: "FilePluginTests",
      dependencies: ["FilePlugin", "FlowCore", "FlowTesting", "TestKit"],
      path: "Plugins/File/Tests"),
    .target(
      name: "RandomPlugin", dependencies: ["FlowCore"], path: "Plugins/Random/Sources",
      packageAccess: false),
    .testTarget(
      name: "RandomPluginTests",
      dependencies: ["RandomPlugin", "FlowCore", "FlowTesting"],
      path: "Plugins/Random/Tests"),
    .target(
      name: "ScreensPlugin", dependencies: ["FlowCore"], path: "Plugins/Screens/Sources",
      packageAccess: false),
    .testTarget(
      name: "ScreensPluginTests",
      dependencies: [
        "ScreensPlugin", "BalancePlugin", "CatalogPlugin", "FilePlugin", "ImagesPlugin",
        "FlowExplore", "FlowTesting", "FlowEngine", "FlowPlan", "FlowScenario", "FlowCore",
        "TestKit",
      ],
      path: "Plugins/Screens/Tests"),
    .target(name: "CMariaDB", dependencies: ["CLibrary"], path: "Plugins/SQL/CMariaDB"),
    .target(
      name: "SQLPlugin",
      dependencies: ["FlowPostgreSQL", "FlowSQL", "CMariaDB", "CSQLite", "FlowCore"],
      path: "Plugins/SQL/Sources", packageAccess: false),
    .testTarget(
      name: "SQLPluginTests",
      dependencies: [
        "SQLPlugin", "FlowPostgreSQL", "FlowSQL", "CSQLite", "FlowCore", "FlowTesting", "TestKit",
      ],
      path: "Plugins/SQL/Tests"),
    .target(
      name: "TimePlugin", dependencies: ["FlowCore"], path: "Plugins/Time/Sources",
      packageAccess: false),
    .testTarget(
      name: "TimePluginTests",
      dependencies: ["TimePlugin", "FlowCore", "FlowTesting"],
      path: "Plugins/Time/Tests"),
    .target(name: "CUpstream", dependencies: ["CLibrary"], path: "Plugins/Upstream/C"),
    .target(
      name: "UpstreamPlugin",
      dependencies: ["FlowCore", "CUpstream", "HTTPCoding", "WebSocketCoding", "GRPCCoding"],
      path: "Plugins/Upstream/Sources", packageAccess: false),
    .testTarget(
      name: "UpstreamPluginTests",
      dependencies: [
        "UpstreamPlugin", "WebSocketCases", "WebSocketCoding", "HTTPPlugin", "FlowCommand",
        "FlowCore",
        "FlowTesting", "TestKit",
      ],
      path: "Plugins/Upstream/Tests"),
    .target(
      name: "WebSocketCoding", dependencies: ["CCoding", "FlowCore"],
      path: "Plugins/WebSocket/Coding", packageAccess: false),
    .target(name: "WebSocketCases", path: "Plugins/WebSocket/Cases", packageAccess: false),
    .testTarget(
      name: "WebSocketCodingTests", dependencies: ["WebSocketCoding", "WebSocketCases"],
      path: "Plugins/WebSocket/CodingTests"),
    .target(
      name: "WebSocketPlugin", dependencies: ["HTTPPlugin", "WebSocketCoding", "FlowCore"],
      path: "Plugins/WebSocket/Sources", packageAccess: false),
    .testTarget(
      name: "WebSocketPluginTests",
      dependencies: [
        "WebSocketPlugin", "HTTPPlugin", "WebSocketCoding", "WebSocketCases", "FlowCommand",
        "FlowCore", "FlowTesting", "TestKit",
      ],
      path: "Plugins/WebSocket/Tests"),
    .target(name: "FlowProcess", path: "Plugins/Process/C"),
    .target(
      name: "Subprocess", dependencies: ["FlowProcess", "FlowCore"],
      path: "Plugins/Process/Subprocess", packageAccess: false),
    .target(
      name: "MCPPlugin",
      dependencies: ["HTTPPlugin", "Subprocess", "FlowProcess", "FlowSchema", "FlowCore"],
      path: "Plugins/MCP/Sources", packageAccess: false),
    .testTarget(
      name: "MCPPluginTests",
      dependencies: [
        "MCPPlugin", "FlowCommand", "FlowSchema", "FlowCore", "FlowTesting", "TestKit",
      ],
      path: "Plugins/MCP/Tests"),
    .target(
      name: "ProcessPlugin", dependencies: ["Subprocess", "FlowProcess", "FlowCore"],
      path: "Plugins/Process/Sources", packageAccess: false),
    .testTarget(
      name: "ProcessPluginTests",
      dependencies: ["ProcessPlugin", "Subprocess", "FlowCore", "FlowTesting", "TestKit"],
      path: "Plugins/Process/Tests"),
    .target(
      name: "DocumentedCounter", dependencies: ["FlowCore"],
      path: "Tests/DocumentationTests/Counter/Sources", packageAccess: false),
    .testTarget(
      name: "DocumentedCounterTests",
      dependencies: ["DocumentedCounter", "FlowCore", "FlowTesting"],
      path: "Tests/DocumentationTests/Counter/Tests"),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "flow-cli", "BalancePlugin", "FlowTesting", "FlowXCTest", "FlowCore", "TestKit",
      ],
      exclude: ["Counter", "Spend/Scenarios"]),

    .systemLibrary(
      name: "CMicroHTTPD", path: "Examples/shop-server/CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .executableTarget(
      name: "shop-server", dependencies: ["FlowCore", "CMicroHTTPD", "CSQLite"],
      path: "Examples/shop-server/Sources", packageAccess: false),
    .testTarget(
      name: "ShopServerTests", dependencies: ["shop-server", "FlowCore", "TestKit"],
      path: "Examples/shop-server/Tests"),

    .target(name: "CEventLoop", dependencies: ["CYAML"], path: "Benchmarks/CEventLoop"),
    .executableTarget(
      name: "flow-benchmarks",
      dependencies: [
        "CEventLoop", "FlowDatabase", "FlowYAML", "FlowRedaction", "FlowCore", "FlowSystem",
        "FlowExpression",
        "FlowPlan", "FlowScenario", "FlowExplore", "FlowEngine", "FlowTranscript", "FlowReport",
        "BalancePlugin",
      ],
      path: "Benchmarks/Runner"),
    .executableTarget(name: "flow-benchmarks-floor", path: "Benchmarks/Floor"),
    .executableTarget(
      name: "flow-benchmarks-schemas", dependencies: ["FlowSchema", "FlowCore"],
      path: "Benchmarks/Schemas", exclude: ["compare"]),
  ],
  // Abseil, which newer releases of RE2 are built on, needs it.
  cxxLanguageStandard: .cxx17
)

// A program for libFuzzer needs every module instrumented, so Scripts/fuzz alone builds it and sets the
// variable.
if Context.environment["FLOW_FUZZ"] != nil {
  package.targets.append(.systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"))
  package.targets.append(
    .executableTarget(
      name: "flow-fuzz", dependencies: ["FuzzTargets", "CFuzzer"], path: "Tests/Fuzz/Entry",
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]))
}

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

// A quarter of a build's time goes into optimizing what no loop runs (Docs/decisions/0072). Scripts/flow sets the
// variable: a package that others depend on may not have such flags, and a release is optimized as a whole.
if Context.environment["FLOW_QUICK"] != nil {
  for name in [
    "FlowDatabase", "FlowEditor", "FlowExplore", "FlowImport", "FlowOpenAPI", "FlowPostgreSQL",
    "AlbumPlugin", "BrowserPlugin", "ImagesPlugin", "MCPPlugin", "ScreensPlugin", "UpstreamPlugin",
  ] {
    guard let target = package.targets.first(where: { $0.name == name }) else {
      fatalError("there is no target \(name)")
    }
    target.swiftSettings?.append(.unsafeFlags(["-Onone", "-assert-config", "Release"]))
  }
}
