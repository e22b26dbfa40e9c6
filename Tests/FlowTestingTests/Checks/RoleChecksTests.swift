import AlbumPlugin
import BalancePlugin
import CatalogPlugin
import FilePlugin
import FlowCore
import FlowTesting
import ImagesPlugin
import ScreensPlugin
import Synchronization
import TestKit
import Testing

/// The checks of components that use others.
@Suite struct RoleChecksTests {
  @Test(arguments: ComponentCheck.allCases)
  func `the album passes the checks`(_ check: ComponentCheck) async throws {
    let sample = try ScenarioFile(ScenarioFolder.path + "/album.yaml")
    let others = try Registry([Catalog.self, Images.self])

    try await ComponentChecks(Album.self, sample: sample, using: others).verify(check)
  }

  @Test(arguments: ComponentCheck.allCases)
  func `the screens pass the checks`(_ check: ComponentCheck) async throws {
    let sample = try ScenarioFile(ScenarioFolder.path + "/screens-tour.yaml")
    let others = try Registry([Balance.self, Catalog.self, Files.self, Images.self])

    try await ComponentChecks(Screens.self, sample: sample, using: others).verify(check)
  }

  private func problems<Subject: Component>(
    _ subject: Subject.Type, _ check: ComponentCheck
  ) async throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components:
        account: {plugin: balance}
        it: {plugin: asking, using: {store: account}}
      steps:
        - {uses: it.go}

      """, to: "it.yaml")
    let store = try StandIn(
      for: Balance.self, ["add": .answer(["balance": Decimal(significand: 5, scale: 0)])])
    let checks = ComponentChecks(
      subject, sample: try ScenarioFile(folder.path("it.yaml")), with: [.standIn(store)])
    // Without the place and the code.
    return await checks.problems(of: check).map { problem in
      let line = problem.text.split(separator: "\n").first ?? ""
      return String(line.split(separator: "error: ").last?.split(separator: " [").first ?? "")
    }
  }

  @Test(arguments: ComponentCheck.allCases)
  func `a component that asks for what it is given passes the checks`(
    _ check: ComponentCheck
  ) async throws {
    #expect(try await problems(Steady.self, check) == [])
  }

  @Test func `a component that asks for something else each time is found`() async throws {
    #expect(
      try await problems(Counting.self, .roles) == [
        "called again with the same answers from its roles, the component behaves differently"
      ])
  }

  @Test func `a component that calls from a detached task after its call is found`() async throws {
    #expect(
      try await problems(Detached.self, .sample) == [
        "'store.add' was called after the call at 'it.go#1' had ended"
      ])
  }
}

/// A component with one operation, which may use a store.
private protocol Asking: Component {
  init()
  func go(_ context: Context) async throws
}

extension Asking {
  static var plugin: Plugin<Self> {
    Plugin(
      "asking", version: "1.0", "Asks.", state: .memory, uses: [add],
      operations: [
        Operation("go", "Asks.", answers: Record<Void>.none) { component, context in
          try await component.go(context)
        }
      ]
    ) { _ in Self() }
  }

  static var add: RoleCall<Decimal, Decimal> {
    Role("store", "Where the money is.").call(
      "add", Parameter<Decimal>("amount", "How much."),
      answers: Record<Decimal>("balance", "The balance."),
      errors: [ErrorCode("illegal", ""), ErrorCode("unavailable", "")])
  }
}

private struct Steady: Asking {
  func go(_ context: Context) async throws {
    _ = try await Self.add(Decimal(significand: 1, scale: 0), in: context)
  }
}

private struct Counting: Asking {
  private static let runs = Mutex(0)

  func go(_ context: Context) async throws {
    let run = Self.runs.withLock { runs in
      runs += 1
      return runs
    }
    _ = try await Self.add(Decimal(significand: Int128(run), scale: 0), in: context)
  }
}

private actor Detached: Asking {
  private var task: Task<Void, Never>?
  private let (ended, end) = AsyncStream.makeStream(of: Void.self)

  func go(_ context: Context) async throws {
    task = Task.detached { [ended] in
      for await _ in ended {}
      _ = try? await Self.add(Decimal(significand: 1, scale: 0), in: context)
    }
  }

  func close() async {
    end.finish()
    await task?.value
  }
}
