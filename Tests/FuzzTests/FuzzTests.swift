import FlowCore
import Foundation
import FuzzTargets
import Testing

/// A short run of what `Scripts/fuzz` does at length: nothing crashes, nothing hangs.
@Suite(.timeLimit(.minutes(30))) struct FuzzTests {
  @Test(arguments: FuzzTarget.allCases)
  func `mutations of real files do no harm`(_ target: FuzzTarget) async throws {
    var random = SeededGenerator(seed: 1, label: target.rawValue)
    let seeds = try Self.seeds(for: target)

    for _ in 0..<400 {
      guard var bytes = seeds.randomElement(using: &random) else { return }
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        // Of transcripts, little else is left to read.
        if target == .transcript, Bool.random(using: &random) {
          let place = Int.random(in: 0...bytes.count, using: &random)
          Self.exchange(in: &bytes, near: place, using: &random)
        } else {
          Self.mutate(&bytes, with: seeds, using: &random)
        }
      }
      await target.feed(bytes)
    }
  }

  @Test(arguments: FuzzTarget.allCases)
  func `inputs that once did harm do none`(_ target: FuzzTarget) async throws {
    for name in try Self.files(in: "Tests/FuzzTests/Found/\(target.rawValue)") {
      await target.feed(Array(try Data(contentsOf: URL(fileURLWithPath: name))))
    }
  }

  // MARK: - Inputs

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  private static func files(in folder: String) throws -> [String] {
    let full = root + "/" + folder
    guard FileManager.default.fileExists(atPath: full) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: full).sorted()
      .map { full + "/" + $0 }
  }

  private static func seeds(for target: FuzzTarget) throws -> [[UInt8]] {
    let folders = ["Scenarios", "Scenarios/rejected", "Scenarios/failing"]
    let scenarios = try folders.flatMap(files).filter { $0.hasSuffix(".yaml") }.map {
      Array(try Data(contentsOf: URL(fileURLWithPath: $0)))
    }
    switch target {
    case .yaml, .scenario: return scenarios
    case .expression: return expressions.map { Array($0.utf8) }
    case .transcript: return try transcripts()
    case .project:
      return try ["patterns.yaml", "last-failed", "secrets.txt"].map {
        try bytes(of: "Tests/Fuzz/Seeds/\($0)")
      }
    }
  }

  private static func bytes(of file: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: root + "/" + file)))
  }

  /// Short transcripts, since all of it is replayed, and the same with matchers, placeholders and bodies.
  private static func transcripts() throws -> [[UInt8]] {
    let changes: [(of: Regex<Substring>, to: String)] = [
      (/"amount":"[^"]*"/, #""amount":{"$any":"decimal"}"#),
      (/"balance":"[^"]*"/, #""balance":{"$near":["87.50","0.10"]}"#),
      (/"message":"[^"]*"/, #""message":"no ${secret:token} and ${redacted:1}""#),
      (/"100.00"/, #"{"$blob":"sha256:../../flow.yaml","size":5}"#),
      (/"outputs":{/, #""outputs":{"more":{"$literal":{"$any":1}},"#),
    ]
    let files = ["Scenarios/patience", "Scenarios/trips", "Tests/Fuzz/Seeds/secret"]
    return try files.map { try bytes(of: "\($0).transcript.jsonl") }.flatMap { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      return [bytes] + changes.map { Array(text.replacing($0.of, with: $0.to).utf8) }
    }
  }

  private static let expressions = [
    "n + 1 == 4 && s.startsWith('h')", "l.map(x, [x, n]).flatten().size() > 2",
    "d * 2 - 12.50 >= 0", "{'a': 1, 'b': [2, 3]}.b[1]", "s.matches('^h.*o$') ? 1u : 2u",
    "timestamp('2026-01-01T00:00:00Z') + duration('1h')", "l.exists(x, type(x) == string)",
    "optional.of(n).orValue(2) in [1, 2, 3]", "cel.bind(x, n * n, x + x)", "'%d %s'.format([n, s])",
  ]

  /// Keys with values of their own and of other keys, for steps in braces and in lines.
  private static let fragments = [
    "parallel: {a: [{id: x, uses: balance.load}], b: {needs: [a], do: [{wait: 1ms}]}}",
    "parallel: 3", "needs: [a]", "fail-fast: false", "do: [{id: x, uses: balance.load}]",
    "else: [{set: {v: 1}}]", "finally: [{assert: [\"${{ has(steps.x) }}\"]}]",
    "repeat: {while: \"${{ true }}\", limit: 3}", "await: balance.changed",
    "where: \"${{ event.balance > 0 }}\"", "timeout: 1s", "if: \"${{ steps.x.balance > 0 }}\"",
    "scenario: ./parts/bill.yaml",
  ].map { Array($0.utf8) }

  /// Values of JSON that transcripts, states and patterns may hold, for the place of another one.
  private static let values = [
    #"{"$any":"decimal","example":"1.00"}"#, #"{"$any":"any"}"#, #"{"$match":"^.*$","example":""}"#,
    #"{"$near":["87.50","100"]}"#, #"{"$literal":{"$any":1}}"#, #"{"$decimal":"1.5"}"#,
    #"{"$blob":"sha256:0000000000000000000000000000000000000000000000000000000000000000","size":5}"#,
    #""${secret:token}""#, #""<${redacted:1}>""#, #""balance.changed""#, #""seen#1""#, #""failed""#,
    "null", "true", "[]", "{}", "0", "-1.5e300", #""12.50""#, #""""#,
  ].map { Array($0.utf8) }

  /// Puts another value in the place of the next text behind a colon, which leaves JSON what it is.
  private static func exchange(
    in bytes: inout [UInt8], near place: Int, using random: inout SeededGenerator
  ) {
    guard let mark = bytes[place...].firstRange(of: Array(":\"".utf8)),
      let end = bytes[mark.upperBound...].firstIndex(of: UInt8(ascii: "\"")),
      let value = values.randomElement(using: &random)
    else { return }
    bytes.replaceSubrange(mark.lowerBound + 1...end, with: value)
  }

  /// Adds a fragment to the mapping in braces that ends behind a place, or to the step that begins there.
  private static func insert(
    _ separator: String, before sign: UInt8, into bytes: inout [UInt8], near place: Int,
    using random: inout SeededGenerator
  ) {
    guard let index = bytes[place...].firstIndex(of: sign),
      let fragment = fragments.randomElement(using: &random)
    else { return }
    let added = separator.isEmpty ? Array("- {".utf8) + fragment + Array("}\n  ".utf8) : fragment
    bytes.insert(contentsOf: Array(separator.utf8) + added, at: index)
  }

  private static func mutate(
    _ bytes: inout [UInt8], with seeds: [[UInt8]], using random: inout SeededGenerator
  ) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
    case 1: bytes.removeSubrange(place..<min(bytes.count, place + 7))
    case 2: bytes = Array(bytes[..<place])
    case 3: bytes.insert(contentsOf: bytes[max(0, place - 12)..<place], at: place)
    case 4: insert(", ", before: UInt8(ascii: "}"), into: &bytes, near: place, using: &random)
    case 5: insert("", before: UInt8(ascii: "-"), into: &bytes, near: place, using: &random)
    case 6: exchange(in: &bytes, near: place, using: &random)
    default:
      let other = seeds.randomElement(using: &random) ?? []
      bytes = Array(bytes[..<place] + other.suffix(other.count / 2))
    }
  }
}
