import FlowSystem
import Testing

@testable import FlowDatabase

/// Addresses of journals, `postgres://HOST/DATABASE#NAME`.
@Suite struct DatabaseAddressTests {
  @Test(arguments: [
    ("postgres://db/flow#order", "postgres://db/flow", "order"),
    ("postgresql://u@db:5432/flow#a%20b%23", "postgresql://u@db:5432/flow", "a b#"),
    ("postgres://u@db:5432/flow#a@b", "postgres://u@db:5432/flow", "a@b"),
    ("postgres://db/flow#a@b", "postgres://db/flow", "a@b"),
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
    #expect(text.withoutPasswords == text)
  }

  @Test(arguments: [
    ("postgres://u:p@db/flow#a", "postgres://u@db/flow#a"),
    ("postgres://u:p?q@db/flow#a", "postgres://u@db/flow#a"),
    ("postgres://u:p@[::1]:5432,db:1/flow#a", "postgres://u@[::1]:5432,db:1/flow#a"),
    ("postgres://u:@db/flow#a", "postgres://u@db/flow#a"),
    ("postgres://db/flow?password=p#a", "postgres://db/flow#a"),
    (
      "postgres://db/flow?sslmode=require&password=p&port=1#a",
      "postgres://db/flow?sslmode=require&port=1#a"
    ),
    ("postgres://db/flow?sslpassword=p#a", "postgres://db/flow#a"),
    ("postgres://db/flow?%70assword=p#a", "postgres://db/flow#a"),
    ("postgres://u:p@/flow?host=a%40b#a", "postgres://u@/flow?host=a%40b#a"),
  ])
  func `a password is not shown`(_ text: String, _ shown: String) throws {
    let address = try #require(try DatabaseAddress(text))

    #expect(address.description == shown)
  }

  @Test(arguments: [
    "postgres://u:s3cret/x@db/flow#a", "postgres://u:s3cret#x@db/flow#a",
    "postgres://u:s3@cret@db/flow#a", "postgres://u:123/x@db/flow#a",
    "postgres://u:123#x@db/flow", "POSTGRES://u:s3cret@db/flow#a", "postgres://db:port/flow#a",
    "postgres://db/flow?password#a",
  ])
  func `an address that libpq reads otherwise than it seems is refused`(_ text: String) {
    #expect(throws: DatabaseAddressError.self) { try DatabaseAddress(text) }
  }

  @Test(arguments: [
    ("postgres://u:s3cret/x@db/flow#a", "postgres://u@db/flow#a"),
    ("POSTGRES://u:s3#cret@db/flow#a", "POSTGRES://u@db/flow#a"),
    ("--journal=postgresql://u:s3'c r\"et<@db/flow", "--journal=postgresql://u@db/flow"),
    ("postgres:u:s3cret@db/flow#a", "postgres:u@db/flow#a"),
    (#"postgres:\\u:s3cret@db/flow#a"#, #"postgres:\\u@db/flow#a"#),
    ("postgres://db:80/y@z", "postgres://db:80/y@z"),
    (
      "postgres://db/flow?sslPassword=s3cret&a=b&PASSWORD=s4#a",
      "postgres://db/flow?sslPassword=&a=b&PASSWORD=#a"
    ),
    ("postgresql//u:s3cret@db/x@y#j", "postgresql//u@db/x@y#j"),
    ("postgre://u:s3cret@db", "postgre://u@db"),
    ("--journal=postgresql+psycopg://u:s3cret@db/x", "--journal=postgresql+psycopg://u@db/x"),
    ("pg://u:s3cret@db/x", "pg://u@db/x"),
    ("http://u:p@h", "http://u:p@h"), ("nothing", "nothing"),
  ])
  func `a message has no passwords of addresses that it quotes`(
    _ argument: String, _ shown: String
  ) {
    let passwords = AddressPasswords(in: ["resume", argument, "--force"])

    #expect(passwords.removed(from: "no '\(argument)' here") == "no '\(shown)' here")
    #expect(passwords.removed(from: "no \"\(argument.escaped)\"") == "no \"\(shown.escaped)\"")
  }

  @Test func `a message has everything else that looks like a password`() {
    let passwords = AddressPasswords(in: ["postgres://u:s3cret@db/flow?password=s4#a"])
    let text = "got \"http://h/img:1@2x.png\", s3cret, :s4@ and a?password=abc"

    #expect(passwords.removed(from: text) == text)
  }
}
