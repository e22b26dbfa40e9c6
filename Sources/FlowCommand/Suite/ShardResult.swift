internal import FlowReport
internal import FlowSystem

/// The result of one part of a suite, in a file of a folder shared by all parts.
///
/// The file is a JSON document with members in a fixed order and a digest of the result for
/// detecting damage. Nothing read from it is used as a path for writing.
struct ShardResult: Sendable {
  /// The greatest allowed number of an attempt.
  static let mostAttempts = 9_999
  private static let largest = 512 << 20

  /// A tested scenario, and its entry for the state of the suite.
  struct Scenario: Sendable {
    /// The path of the scenario, relative to the project's folder.
    let key: String
    let stored: StoredScenario
    let code: ExitCode
    let hasFailed: Bool
    /// The duration of one of its runs, or nil if it did not run.
    let microseconds: Int?
  }

  var run: String
  var shard: Shard
  /// The number of the attempt, from 1.
  ///
  /// Another run of the part has a greater number.
  var attempt = 1
  var host = ""
  /// The digest of the work of all parts, and of its division.
  var digest: String
  /// The number of scenarios in all parts.
  var total: Int
  var elapsed = Duration.zero
  var scenarios: [Scenario] = []
  /// The covered parts of services' descriptions.
  var coverage = ContractCoverage()

  /// The scenarios of the part, by their numbers and paths.
  var contents: [String] { scenarios.map { "\($0.stored.number) \($0.key)" } }
}

// MARK: - The file

extension ShardResult {
  private static func head(_ digest: String) -> String {
    "{\"flow-results\":3,\"sha256\":\"\(digest)\",\"result\":"
  }

  /// The JSON document of the result.
  var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.value(json)
    let body = writer.bytes
    return Array(Self.head(SHA256(body).hexadecimal).utf8) + body + Array("}\n".utf8)
  }

  private var json: JSON {
    // Without a description there is no member.
    let contracts = coverage.isEmpty ? [] : [JSON.Member("contracts", coverage.json)]
    return .object(
      [
        .init("run", .string(run)), .init("shard", .number("\(shard.number)")),
        .init("shards", .number("\(shard.count)")), .init("attempt", .number("\(attempt)")),
        .init("host", .string(host)), .init("suite", .string(digest)),
        .init("total", .number("\(total)")), .init("seconds", elapsed.json),
        .init("scenarios", .array(scenarios.map(json))),
      ] + contracts)
  }

  private func json(_ scenario: Scenario) -> JSON {
    let duration = scenario.microseconds.map { [JSON.Member("microseconds", .number("\($0)"))] }
    return .object(
      [
        .init("key", .string(scenario.key)), .init("host", .string(host)),
        .init("attempt", .number("\(attempt)")),
        .init("code", .number("\(scenario.code.rawValue)")),
        .init("failed", .bool(scenario.hasFailed)),
      ] + (duration ?? []) + scenario.stored.members)
  }

  /// Reads a document, with the reports' entries in these formats only.
  ///
  /// Nil for a damaged document.
  init?(_ bytes: [UInt8], keeping formats: Set<String>) {
    let head = Array(Self.head(String(repeating: "0", count: 64)).utf8)
    guard bytes.count > head.count + 2, bytes.suffix(2).elementsEqual("}\n".utf8) else {
      return nil
    }
    let body = bytes[head.count..<(bytes.count - 2)]
    guard bytes.starts(with: Self.head(SHA256(Array(body)).hexadecimal).utf8),
      let json = try? JSONParser.parse(body),
      let run = json["run"]?.string, let number = json["shard"]?.count,
      let shards = json["shards"]?.count, let shard = Shard(number: number, of: shards),
      let attempt = json["attempt"]?.count, let host = json["host"]?.string,
      let digest = json["suite"]?.string, let total = json["total"]?.count,
      let elapsed = json["seconds"]?.seconds, case .array(let list)? = json["scenarios"],
      let coverage = json["contracts"].map(ContractCoverage.init) ?? ContractCoverage()
    else { return nil }
    self.init(run: run, shard: shard, attempt: attempt, digest: digest, total: total)
    (self.host, self.elapsed, self.coverage) = (host, elapsed, coverage)
    for json in list {
      guard let scenario = Scenario(json, keeping: formats) else { return nil }
      scenarios.append(scenario)
    }
  }

  private init(run: String, shard: Shard, attempt: Int, digest: String, total: Int) {
    self.init(run: run, shard: shard, digest: digest, total: total)
    self.attempt = attempt
  }

  init(run: String, shard: Shard, digest: String, total: Int) {
    (self.run, self.shard, self.digest, self.total) = (run, shard, digest, total)
  }

  /// Reads a file.
  ///
  /// Nil for a damaged file.
  init?(reading path: String, keeping formats: Set<String>) throws(FileError) {
    self.init(try FileSystem.contents(of: path, limit: Self.largest), keeping: formats)
  }

  /// Writes the result next to the ones of other attempts, whole or not at all, and returns its
  /// path.
  ///
  /// - Throws: `FileError` if the system refuses, or after too many attempts.
  mutating func write(to folder: String, isPrivate: Bool) throws(FileError) -> String {
    let folder = Path.joined(folder, run)
    try FileSystem.makeFolders(folder)
    while attempt <= Self.mostAttempts {
      let path = Path.joined(folder, "\(shard.number).\(attempt).json")
      if !FileSystem.isOccupied(path) {
        let file = try OutputFile(replacing: path, followsLinks: false, isPrivate: isPrivate)
        let bytes = bytes
        guard bytes.count <= Self.largest else {
          throw FileError(.tooLarge, path: path, isWriting: true)
        }
        try file.append(bytes)
        if try file.place(unlessTaken: path) { return path }
      }
      attempt += 1
    }
    throw FileError(
      .unreadable, path: folder, reason: "the part \(shard.text) has too many attempts",
      isWriting: true)
  }
}

extension ShardResult.Scenario {
  fileprivate init?(_ json: JSON, keeping formats: Set<String>) {
    guard let key = json["key"]?.string,
      let stored = StoredScenario(json, keeping: formats),
      let code = json["code"]?.count.flatMap({ ExitCode(known: Int32(clamping: $0)) }),
      case .bool(let hasFailed)? = json["failed"]
    else { return nil }
    (self.key, self.stored, self.code, self.hasFailed) = (key, stored, code, hasFailed)
    microseconds = json["microseconds"]?.count.flatMap { $0 <= SuiteState.longest ? $0 : nil }
  }
}
