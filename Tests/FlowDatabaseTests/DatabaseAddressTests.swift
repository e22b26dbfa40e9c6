import Testing

@testable import FlowDatabase

/// Addresses of journals, `postgres://HOST/DATABASE#NAME`.
@Suite struct DatabaseAddressTests {
  @Test(arguments: [
    ("postgres://db/flow#order", "postgres://db/flow", "order"),
    ("postgresql://u@db:5432/flow#a%20b%23", "postgresql://u@db:5432/flow", "a b#"),
    (
      "postgres://db/flow#" + String(repeating: "é", count: 200), "postgres://db/flow",
      String(repeating: "é", count: 200)
    ),
  ])
  func `the name stands behind the sign, percent-encoded`(
    _ text: String, _ url: String, _ name: String
  ) throws {
    let address = try #require(try DatabaseAddress(text))

    #expect(address.url == url)
    #expect(address.name == name)
    #expect(address.description == text)
  }

  @Test(arguments: [
    "postgres://db/flow#", "postgres://db/flow#%", "postgres://db/flow#%4",
    "postgres://db/flow#%+1",
    "postgres://db/flow#%ff", "postgres://db/flow#a%0Ab", "postgres://db/flow#a\tb",
    "postgres://db/flow#" + String(repeating: "a", count: 201),
  ])
  func `a name that is none is refused`(_ text: String) {
    #expect(throws: DatabaseAddressError.self) { try DatabaseAddress(text) }
  }

  @Test(arguments: [
    "order.journal", "", "http://db/flow#a", "/postgres://db/flow#a", "postgres:/db#a",
  ])
  func `everything else is a path`(_ text: String) throws {
    #expect(try DatabaseAddress(text) == nil)
    #expect(DatabaseAddress.withoutPasswords(text) == text)
  }

  @Test(arguments: [
    ("postgres://u:p@db/flow#a", "postgres://u@db/flow#a"),
    ("postgres://u:p@q@db/flow#a", "postgres://u@db/flow#a"),
    ("postgres://u:@db/flow#a", "postgres://u@db/flow#a"),
    ("postgres://db/flow?password=p#a", "postgres://db/flow#a"),
    (
      "postgres://db/flow?sslmode=require&password=p&port=1#a",
      "postgres://db/flow?sslmode=require&port=1#a"
    ),
    ("postgres://db/flow?sslpassword=p#a", "postgres://db/flow#a"),
    ("postgres://db/flow?%70assword=p#a", "postgres://db/flow#a"),
    ("postgres://u:p@/flow?host=a@b#a", "postgres://u@/flow?host=a@b#a"),
  ])
  func `a password is not shown`(_ text: String, _ shown: String) throws {
    let address = try #require(try DatabaseAddress(text))

    #expect(address.description == shown)
  }
}
