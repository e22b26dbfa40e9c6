import FlowCommand
import FlowCore
import Foundation
import TestKit

@testable import BalancePlugin
@testable import CatalogPlugin
@testable import ImagesPlugin

/// A folder for commands with secrets, and every byte of their output.
struct Canary {
  /// Secrets that every encoding changes, none of them a part of another.
  static let secrets = [
    "token": #"c4n+ary/"one"\ &é>?~~"#, "asked": #"c4n+ary/"two"\ &ü>?~"#,
    "password": "c4n-ary=three%&;?", "issued": #"issued-c4n+ary/"one"\ &é>?~~"#,
  ]

  let folder: TemporaryFolder
  private let streams = OutputText()

  init() throws {
    folder = try TemporaryFolder()
    for (name, secret) in Self.secrets { try folder.write(secret + "\n", to: "secret/\(name)") }
  }

  /// All components.
  static let components: [any Component.Type] = [
    Probe.self, Keeper.self, Portal.self, Balance.self, Catalog.self, Images.self,
  ]

  /// Runs a command, with `@/` for the folder in its arguments.
  @discardableResult
  func flow(
    _ arguments: String..., secrets: Bool = true, isTerminal: Bool = false
  ) async throws -> ExitCode {
    try await flow(arguments, secrets: secrets, isTerminal: isTerminal)
  }

  /// Runs a command; one that can be interrupted tells of it when its task is cancelled, as by Ctrl-C.
  @discardableResult
  func flow(
    _ arguments: [String], secrets: Bool = true, isTerminal: Bool = false,
    canBeInterrupted: Bool = false
  ) async throws -> ExitCode {
    let path = folder.directory.path
    var process = ProcessEnvironment(
      output: { [streams] in streams.append($0) }, errorOutput: { [streams] in streams.append($0) },
      isTerminal: isTerminal)
    process.takesSignals = canBeInterrupted
    if secrets {
      for name in ["token", "asked"] {
        process.environment["FLOW_SECRET_\(name.uppercased())"] = Self.secrets[name]
      }
    }
    streams.append("\n$ flow \(arguments.joined(separator: " "))\n")
    return await FlowCommand(registry: try Registry(Self.components), process: process)
      .run(arguments.map { $0.replacing("@/", with: path + "/") })
  }

  /// The output to both streams until now.
  var text: String { streams.text }

  /// Every place where a secret can be seen: the file or stream, the secret and its form.
  func sightings() throws -> [String] {
    var texts = [("streams", Data(streams.text.utf8))]
    let paths = FileManager.default.enumerator(atPath: folder.directory.path)
    for path in (paths?.allObjects ?? []).compactMap({ $0 as? String }).sorted() {
      if path.hasPrefix("secret") || path.hasSuffix(".yaml") { continue }
      if let data = FileManager.default.contents(atPath: folder.path(path)) {
        texts.append((path, data))
      }
    }
    return texts.flatMap { Self.sightings(in: $1, $0) }
  }

  /// Every secret visible in some bytes, with its form.
  static func sightings(in data: Data, _ name: String = "text") -> [String] {
    secrets.sorted { $0.key < $1.key }.flatMap { key, secret in
      forms(of: secret).filter { data.range(of: Data($0.text.utf8)) != nil }
        .map { "\(name): \(key) in \($0.form)" }
    }
  }

  private static func forms(of secret: String) -> [(form: String, text: String)] {
    var forms = [("plain", secret), ("the beginning", String(secret.prefix(12)))]
    let escaped = String(decoding: (try? JSONEncoder().encode([secret])) ?? Data(), as: UTF8.self)
    forms.append(("JSON", String(escaped.dropFirst(2).dropLast(2))))
    forms.append(("percent", secret.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""))
    forms.append(("hex", secret.utf8.map { String($0, radix: 16) }.joined()))
    for phase in 0..<3 {
      let text = Data(repeating: 0, count: phase) + Data(secret.utf8)
      let whole = text.base64EncodedString()
      let core = String(whole.dropFirst(phase == 0 ? 0 : phase + 1).dropLast(4))
      let url = core.replacing("+", with: "-").replacing("/", with: "_")
      forms += [("base 64, \(phase)", core), ("base 64 of URLs, \(phase)", url)]
    }
    return forms
  }

  private static let unreserved = CharacterSet.alphanumerics.union(.init(charactersIn: "-._~"))
    .intersection(.init(charactersIn: Unicode.Scalar(0)..<Unicode.Scalar(128)))
}
