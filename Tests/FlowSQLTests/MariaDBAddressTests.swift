import FlowCore
import FlowSQL
import Testing

@Suite struct MariaDBAddressTests {
  private func parsed(_ url: String) throws -> MariaDBAddress { try MariaDBAddress(url) }

  @Test func `a URL has its parts`() throws {
    let address = try parsed(
      "mysql://us%40er:p%3Aw%2Fd@db.example:3307/shop%20a?tls=verified&tls_ca=%2Fca.pem")

    #expect(address.user == "us@er")
    #expect(address.password == "p:w/d")
    #expect(address.host == "db.example")
    #expect(address.port == 3307)
    #expect(address.database == "shop a")
    #expect(address.tls == .verified)
    #expect(address.authority == "/ca.pem")
    #expect(address.socket == nil)
  }

  @Test func `the defaults are the usual ones`() throws {
    let address = try parsed("mariadb://u@")

    #expect(address.host == "localhost")
    #expect(address.port == 3306)
    #expect(address.tls == .none)
    #expect(address.user == "u")
    #expect([address.password, address.database, address.socket] == [nil, nil, nil])
    #expect(try parsed("mysql://u@[::1]:1/").host == "[::1]")
  }

  @Test(arguments: [
    ("http://a", "'url' must be like mysql://user:password@host:3306/database"),
    ("mysql://a b/", "'url' must be like mysql://user:password@host:3306/database"),
    ("mysql://a/b/c", "'url' must be like mysql://user:password@host:3306/database"),
    ("mysql://a/b#c", "'url' must be like mysql://user:password@host:3306/database"),
    ("mysql://%zz@a/", "'url' must be like mysql://user:password@host:3306/database"),
    ("mysql://a%00/", "'url' must be like mysql://user:password@host:3306/database"),
    ("mysql://[::1/", "'url' must be like mysql://user:password@host:3306/database"),
    ("mysql://u:p@w@a/", "'url' has an '@' in its password; write it as '%40'"),
    ("mysql://a:0/", "'url' must have a port from 1 to 65535"),
    ("mysql://a:65536/", "'url' must have a port from 1 to 65535"),
    ("mysql://a/?plugin_dir=x", "'url' has 'plugin_dir', which is not accepted"),
    ("mysql://u:1?s=x@h/d", MariaDBAddress.expectation),
    ("mysql://u:1?secret", "'url' has 'secret', which is not accepted"),
    ("mysql://a/?tls=maybe", "'url' must have none, required or verified as 'tls'"),
    ("mysql://a/b", "'url' must have a user"), ("mysql://:p@a/b", "'url' must have a user"),
    ("mysql://a/?socket=x", "'url' has a 'socket' and another host than localhost"),
  ])
  func `another URL is refused, and not quoted`(_ url: String, message: String) {
    #expect(throws: ComponentError(.settings, message)) { try parsed(url) }
  }
}
