private import Foundation

/// The official cases of other projects, which are kept outside this package.
///
/// `FLOW_CONFORMANCE` names their folder. Without it, the folder is `../shared/conformance` beside
/// the package, or else `.build/conformance` inside, the output of `Scripts/conformance`.
package enum OfficialCases: String, CaseIterable, Sendable {
  /// The cases of the Common Expression Language that need no protocol buffers.
  case cel
  /// The YAML test suite.
  case yaml
  /// JSONTestSuite.
  case json
  /// Half of JSON Schema's suite for the drafts 2020-12 and 7.
  case jsonschema

  /// The number of cases.
  package var count: Int {
    switch self {
    case .cel: 1646
    case .yaml: 402
    case .json: 318
    case .jsonschema: 1798
    }
  }

  /// The bytes of the cases' file, or nil without one.
  package var bytes: [UInt8]? {
    (try? Data(contentsOf: Self.folder.appending(path: "\(rawValue).json"))).map(Array.init)
  }

  /// True if the cases are on this machine.
  package var isHere: Bool {
    FileManager.default.fileExists(atPath: Self.folder.appending(path: "\(rawValue).json").path)
  }

  /// The message of a skipped test.
  package var absence: String {
    "\(count) official cases were not run: there is no \(rawValue).json in \(Self.folder.path)"
  }

  private static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["FLOW_CONFORMANCE"] {
      return URL(filePath: path)
    }
    let package = URL(filePath: ProjectFiles.root)
    let beside = package.deletingLastPathComponent().appending(path: "shared/conformance")
    let inside = package.appending(path: ".build/conformance")
    return FileManager.default.fileExists(atPath: beside.path) ? beside : inside
  }()
}
