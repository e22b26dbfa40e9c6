import FlowCore
import Synchronization
import Testing

@testable import BalancePlugin

@Suite struct BalanceModelTests {
  @Test func `too much is refused before the store is asked`() throws {
    let store = ScriptedStore([.success(amount("87.50"))])
    var model = try BalanceModel(store: store)

    #expect(throws: BalanceError.insufficient(amount: amount("90"), balance: amount("87.5"))) {
      try model.apply(.subtraction(amount("90")), key: "1")
    }
    #expect(store.requests == ["balance"])
  }

  @Test func `a change that the store has done is not judged again`() throws {
    let store = ScriptedStore([.success(amount("1.00")), .success(amount("3.00"))])
    var model = try BalanceModel(store: store)

    #expect(try model.apply(.subtraction(amount("90")), key: "done") == amount("1.00"))
    #expect(model.balance == amount("3.00"))
    #expect(store.requests == ["balance", "balance"])
  }

  @Test func `a negative amount is refused before the store is asked`() throws {
    let store = ScriptedStore([.success(amount("87.50"))])
    var model = try BalanceModel(store: store)

    #expect(throws: BalanceError.negative(amount("-1"))) {
      try model.apply(.addition(amount("-1")), key: "2")
    }
    #expect(store.requests == ["balance"])
  }

  @Test func `every answer of the store becomes the balance`() throws {
    let store = ScriptedStore(["10.00", "7.00", "20.00", "3.50"].map { .success(amount($0)) })
    var model = try BalanceModel(store: store)
    var balances = [model.balance]

    try model.load()
    balances.append(model.balance)
    try model.apply(.addition(amount("1")), key: "3")
    balances.append(model.balance)
    try model.apply(.subtraction(amount("2")), key: "4")
    balances.append(model.balance)

    #expect(balances.map(\.description) == ["10.00", "7.00", "20.00", "3.50"])
    #expect(store.requests == ["balance", "balance", "add 1", "subtract 2"])
  }

  @Test func `the next change is judged by the store's last answer`() throws {
    let store = ScriptedStore([.success(amount("10.00")), .success(amount("4.00"))])
    var model = try BalanceModel(store: store)
    try model.apply(.subtraction(amount("1")), key: "5")

    #expect(throws: BalanceError.insufficient(amount: amount("5"), balance: amount("4"))) {
      try model.apply(.subtraction(amount("5")), key: "6")
    }
  }

  @Test func `a refusal by the store brings its balance`() throws {
    let refusal = BalanceError.insufficient(amount: amount("5"), balance: amount("2.00"))
    var model = try BalanceModel(
      store: ScriptedStore([.success(amount("10.00")), .failure(refusal)]))

    #expect(throws: refusal) { try model.apply(.subtraction(amount("5")), key: "7") }
    #expect(model.balance.description == "2.00")
  }

  @Test func `a store that fails leaves the balance and the next call works`() throws {
    let failure = BalanceError.unavailable("the line is down")
    var model = try BalanceModel(
      store: ScriptedStore([
        .success(amount("10.00")), .failure(failure), .failure(failure), .success(amount("9.00")),
      ]))

    #expect(throws: failure) { try model.load() }
    #expect(throws: failure) { try model.apply(.subtraction(amount("1")), key: "8") }
    #expect(model.balance.description == "10.00")
    try model.apply(.subtraction(amount("1")), key: "9")
    #expect(model.balance.description == "9.00")
  }
}

/// Answers what the test wrote down, and remembers what it was asked.
private final class ScriptedStore: BalanceStore {
  private let answers: Mutex<[Result<Decimal, BalanceError>]>
  private let asked = Mutex<[String]>([])

  init(_ answers: [Result<Decimal, BalanceError>]) {
    self.answers = Mutex(answers)
  }

  var requests: [String] { asked.withLock { $0 } }

  func balance() throws(BalanceError) -> Decimal {
    try answer("balance")
  }

  func balance(after key: String) -> Decimal? { key == "done" ? amount("1.00") : nil }

  func apply(_ change: BalanceChange, key: String) throws(BalanceError) -> Decimal {
    switch change {
    case .addition(let amount): try answer("add \(amount)")
    case .subtraction(let amount): try answer("subtract \(amount)")
    }
  }

  private func answer(_ request: String) throws(BalanceError) -> Decimal {
    asked.withLock { $0.append(request) }
    guard let answer = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
      throw .unavailable("the test wrote no answer to '\(request)'")
    }
    return try answer.get()
  }
}
