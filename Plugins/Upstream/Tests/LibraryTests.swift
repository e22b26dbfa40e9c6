import Testing

@testable import UpstreamPlugin

/// Libraries that are not there.
@Suite struct LibraryTests {
  @Test func `a missing library is an error that names its packages`() {
    let server = #expect(throws: ServerLibraryError.self) {
      try ServerLibrary(loading: "libmicrohttpd.so.none")
    }
    let encryption = #expect(throws: ServerLibraryError.self) {
      try EncryptionLibrary(loading: "libgnutls.so.none")
    }

    #expect(
      server?.description
        == "upstreams need libmicrohttpd.so.none, which cannot be loaded: "
        + "\(server?.reason ?? ""); "
        + "Debian and Ubuntu have it in the package 'libmicrohttpd12', Homebrew in 'libmicrohttpd'"
    )
    #expect(
      encryption?.description
        == "the proxy of upstreams needs libgnutls.so.none, which cannot be loaded: "
        + "\(encryption?.reason ?? ""); "
        + "Debian and Ubuntu have it in the package 'libgnutls30', Homebrew in 'gnutls'")
  }
}
