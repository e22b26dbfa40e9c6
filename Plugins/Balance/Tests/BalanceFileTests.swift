import BalancePlugin
import FlowCore
import FlowTesting
import TestKit
import Testing

@Suite struct BalanceFileTests {
  private static let problem = "'balance.txt' must contain one line with an amount of zero or more"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `a file that does not exist starts with the opening and is written by a change`()
    async throws
  {
    let balance = try await open()

    #expect(await balance.text("load") == "{balance: 100.00}")
    #expect(try folder.names == [])
    #expect(await balance.text("subtract", ["amount": 30], at: "spend") == "{balance: 70.00}")
    #expect(try folder.names == ["balance.txt"])
    // The first half of what sha256sum prints for run/spend#1.
    #expect(try folder.text("balance.txt") == "70.00\n70.00 53180af13b8ab9b16fa3981f97af3583\n")
  }

  @Test func `a file without changes is a balance too, and keeps its mode`() async throws {
    try folder.write("40\n", to: "balance.txt")
    try folder.setMode(0o600, of: "balance.txt")

    #expect(await (try open()).text("subtract", ["amount": 30]) == "{balance: 10.00}")

    #expect(try folder.mode(of: "balance.txt") == 0o600)
    #expect(try folder.text("balance.txt").hasPrefix("10.00\n"))
  }

  @Test func `a change that was done is answered and not done again`() async throws {
    let first = try await open()
    _ = try await first.call("subtract", ["amount": 60], at: "spend")

    // As after a crash: the answer was lost, and what is left would not suffice.
    let second = try await open()

    #expect(await second.text("load") == "{balance: 40.00}")
    #expect(await second.text("subtract", ["amount": 60], at: "spend") == "{balance: 40.00}")
    #expect(await second.text("add", ["amount": 1], at: "fill") == "{balance: 41.00}")
    #expect(await second.text("add", ["amount": 1], at: "more") == "{balance: 42.00}")
  }

  @Test func `an earlier change that was done is answered as it was, and the latest balance kept`()
    async throws
  {
    let first = try await open()
    _ = try await first.call("subtract", ["amount": 95], at: "spend")
    _ = try await first.call("add", ["amount": 50], at: "fill")

    let second = try await open()

    #expect(await second.text("subtract", ["amount": 95], at: "spend") == "{balance: 5.00}")
    #expect(await second.text("subtract", ["amount": 40], at: "buy") == "{balance: 15.00}")
  }

  @Test func `the latest thousand changes are remembered`() async throws {
    let balance = try await open()
    let line = "1.00 " + String(repeating: "0", count: 32) + "\n"
    try folder.write("100.00\n" + String(repeating: line, count: 998), to: "balance.txt")
    for place in ["one", "two", "three"] {
      _ = try await balance.call("add", ["amount": 1], at: place)
    }

    #expect(try folder.text("balance.txt").split(separator: "\n").count == 1_001)
    #expect(await balance.text("add", ["amount": 1], at: "one") == "{balance: 101.00}")
    let lines = try folder.text("balance.txt").split(separator: "\n")
    try folder.write((lines[..<998] + lines[999...]).joined(separator: "\n"), to: "balance.txt")
    #expect(await balance.text("add", ["amount": 1], at: "one") == "{balance: 104.00}")
  }

  @Test func `a file is outside of the process and a balance without one is in memory`()
    async throws
  {
    #expect(try await OpenComponent(Balance.self).state == .memory)
    #expect(try await open().state == .external)
  }

  @Test func `what others write is seen by the next answer and reported`() async throws {
    let balance = try await open()

    try folder.write("40\n", to: "balance.txt")
    #expect(await balance.text("add", ["amount": 1], at: "fill") == "{balance: 41.00}")
    try folder.write("5.5", to: "balance.txt")
    #expect(
      await balance.text("subtract", ["amount": 30], at: "spend")
        == "insufficient: 30 is more than the balance of 5.50")

    #expect(
      balance.events == [
        "fill#1 balance.changed {balance: 41.00}", "spend#1 balance.changed {balance: 5.50}",
      ])
    #expect(try folder.text("balance.txt") == "5.5")
  }

  @Test func `too much by the balance known last is refused until the file is asked`() async throws
  {
    let balance = try await open()
    try folder.write("7\n", to: "balance.txt")
    _ = try await balance.call("load")
    try folder.write("20\n", to: "balance.txt")

    #expect(
      await balance.text("subtract", ["amount": 9])
        == "insufficient: 9 is more than the balance of 7.00")
    #expect(await balance.text("load") == "{balance: 20.00}")
    #expect(await balance.text("subtract", ["amount": 9]) == "{balance: 11.00}")
  }

  @Test(arguments: [
    "", "\n", "twelve\n", "1\n\n", "1\nkey\n", "1\n1 key\n",
    "1\n1 0123456789abcdef0123456789abcdef more\n",
    "1.00\r\n", " 1", "-0.01\n", "0x10", "\u{FEFF}1",
    String(repeating: "0", count: 1000),
  ])
  func `a file that holds no balance is an error that names it`(_ content: String) async throws {
    let balance = try await open()
    try folder.write(content, to: "balance.txt")

    await expectFailure(Self.problem)
    #expect(await balance.text("load") == "unavailable: " + Self.problem)
    #expect(await balance.text("add", ["amount": 1]) == "unavailable: " + Self.problem)
    #expect(try folder.text("balance.txt") == content)
    #expect(balance.events == [])
    try folder.remove("balance.txt")
    #expect(await balance.text("add", ["amount": 1]) == "{balance: 101.00}")
  }

  @Test func `bytes that are not text are a broken file`() async throws {
    try folder.write([0x31, 0xFF], to: "balance.txt")

    await expectFailure(Self.problem)
  }

  @Test(arguments: ["../balance.txt", "/tmp/balance.txt", "out/balance.txt"])
  func `a file outside of the scenario's folder fails the start`(_ path: String) async throws {
    let outside = try TemporaryFolder()
    try folder.link("out", to: outside.directory.path)

    await expectFailure("cannot read '\(path)': the path is outside the scenario's folder", path)
  }

  @Test func `a change that cannot be written is unavailable and changes nothing`() async throws {
    let balance = try await open("none/balance.txt")

    #expect(
      await balance.text("add", ["amount": 1]) == "unavailable: cannot write 'none/balance.txt'")
    #expect(await balance.text("load") == "{balance: 100.00}")
    #expect(balance.events == [])
  }

  @Test func `a link stays, and the file that it leads to is replaced`() async throws {
    try folder.write("10.00\n", to: "old.txt")
    try folder.link("balance.txt", to: "old.txt")
    let balance = try await open()

    #expect(await balance.text("add", ["amount": 1], at: "fill") == "{balance: 11.00}")

    #expect(try folder.text("old.txt") == "11.00\n11.00 3e4878629c31ab3b737f5ee24d3da237\n")
    #expect(try folder.text("balance.txt") == "11.00\n11.00 3e4878629c31ab3b737f5ee24d3da237\n")
    #expect(try folder.names == ["balance.txt", "old.txt"])
  }

  private func open(_ path: String = "balance.txt") async throws -> OpenComponent {
    try await OpenComponent(
      Balance.self, with: ["opening": amount("100.00"), "file": path], in: folder.directory.path)
  }

  private func expectFailure(_ problem: String, _ path: String = "balance.txt") async {
    let error = await #expect(throws: ComponentError.self) { try await open(path) }
    #expect(error?.description == "unavailable: " + problem)
  }
}
