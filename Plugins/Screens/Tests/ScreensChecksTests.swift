import BalancePlugin
import CatalogPlugin
import FlowCore
import FlowTesting
import ImagesPlugin
import ScreensPlugin
import Testing

@Suite struct ScreensChecksTests {
  @Test(arguments: ComponentCheck.allCases)
  func `the screens pass the checks of components`(_ check: ComponentCheck) async throws {
    let sample = try ScenarioFile("../show.yaml")
    let roles = try [
      StandIn(
        for: Balance.self,
        ["load": .answer(["balance": Decimal(100)]), "subtract": .answer(["balance": Decimal(60)])]),
      StandIn(for: Catalog.self, ["page": .body { input, _ in page(input) }]),
      StandIn(for: Images.self, ["fetch": .body { input, _ in try picture(input) }]),
    ]
    let checks = ComponentChecks(
      Screens.self, sample: sample, with: roles.map { .standIn($0) })

    try await checks.verify(check)
  }
}

/// Two rows, of which the second has a picture that is not there.
private func page(_ input: RecordValue) -> [String: any FieldValue] {
  guard input["start"] == .int(0) || input["start"] == .int(1) else {
    return ["items": [Value](), "total": 2, "end": true]
  }
  let rows = ["One", "Two"].map { title in
    Value.map(
      ValueMap([
        ("title", .string(title)), ("city", .string("Pullman")), ("state", .string("Washington")),
        ("image", .string("\(title).png")),
      ]))
  }
  return ["items": input["start"] == .int(0) ? rows : [rows[1]], "total": 2, "end": true]
}

private func picture(_ input: RecordValue) throws -> [String: any FieldValue] {
  guard input["path"] == .string("One.png") else {
    throw ComponentError(ErrorCode("missing", ""), "there is no such picture")
  }
  return [
    "path": "One.png", "format": "png", "width": 3, "height": 2, "bytes": 1, "sha256": "",
    "cached": false, "hits": 0, "misses": 1,
  ]
}
