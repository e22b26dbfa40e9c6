import FlowCore
import FlowSQL
import Testing

@testable import SQLPlugin

@Suite struct MariaDBErrorTests {
  @Test func `a part of the statement that was cut off ends with an ellipsis`() {
    let part = String(repeating: "x", count: 80)
    func text(_ part: String) -> String {
      "\(MariaDBError(number: 1064, state: "42000", message: "use near '\(part)' at line 1").error)"
    }

    #expect(text(part) == "use near '\(part)…' at line 1")
    #expect(text("short") == "use near 'short' at line 1")
    #expect(text("") == "use near '' at line 1")
  }

  @Test func `a host has to be allowed`() throws {
    let network = try Network(allowing: ["localhost:3306"])

    #expect(try MariaDBAddress("mysql://u@localhost/?socket=x", allowedBy: network).socket == "x")
    #expect(
      throws: ComponentError(.forbidden, "'url': 'b:3306' is not among the allowed hosts")
    ) { try MariaDBAddress("mysql://u@b/", allowedBy: network) }
  }
}
