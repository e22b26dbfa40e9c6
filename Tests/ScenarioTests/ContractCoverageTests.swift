import FlowCommand
import FlowCore
import Foundation
import TestKit
import Testing

/// The coverage of an OpenAPI description by recorded requests.
@Suite struct ContractCoverageTests {
  @Test func `recorded requests cover operations, statuses, parameters, bodies and properties`()
    async throws
  {
    let folder = try TemporaryFolder()
    let place = folder.directory.path
    let source = URL(fileURLWithPath: ProjectFiles.root + "/Plugins/HTTP/Scenarios/coverage")
    for name in try FileManager.default.contentsOfDirectory(atPath: source.path()) {
      try FileManager.default.copyItem(
        at: source.appending(path: name), to: URL(fileURLWithPath: place).appending(path: name))
    }

    let run = try await FlowRun([
      "test", place, "--update", "never", "--report", "contract=\(place)/c.json",
      "--contract-threshold", "operation=100,body=100,property=63",
    ])

    let output = run.output.replacing(place + "/", with: "@/")
    #expect(
      output.split(separator: "\n").suffix(2).joined(separator: "\n") == """
        contract @/shop.openapi.yaml: operations 3 of 4, statuses 3 of 6, parameters 2 of 4, \
        bodies 1 of 1, properties 7 of 11 (4 calls replayed, 0 live)
            not covered: DELETE /orders/{id}, GET /orders query status, GET /orders 200 /*/paid, \
        POST /orders request /note, POST /orders 201 /paid, POST /orders 422, \
        GET /orders/{id} 200 /paid, GET /orders/{id} 404
        """)
    #expect(
      run.errors.replacing(place + "/", with: "@/") == """
        flow: contract '@/shop.openapi.yaml': operations 3 of 4 covered, 75.0 %, fewer than 100 %

        """)
    #expect(run.code == .failed)
    let document = try folder.text("c.json").replacing(place + "/", with: "@/")
    #expect(
      document.contains(
        #"{"kind":"property","name":"GET /orders/{id} 200 /item","count":1,"scenarios":["@/order.yaml"]}"#
      ))
  }
}
