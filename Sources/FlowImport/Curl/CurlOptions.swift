/// The options of curl, as its manual lists them.
enum CurlOptions {
  /// The long names of the letters.
  static let letters: [Character: String] = [
    "a": "append", "A": "user-agent", "b": "cookie", "B": "use-ascii", "c": "cookie-jar",
    "C": "continue-at", "d": "data", "D": "dump-header", "e": "referer", "E": "cert", "f": "fail",
    "F": "form", "g": "globoff", "G": "get", "h": "help", "H": "header", "i": "show-headers",
    "I": "head", "j": "junk-session-cookies", "J": "remote-header-name", "k": "insecure",
    "K": "config", "l": "list-only", "L": "location", "m": "max-time", "M": "manual", "n": "netrc",
    "N": "no-buffer", "o": "output", "O": "remote-name", "p": "proxytunnel", "P": "ftp-port",
    "q": "disable", "Q": "quote", "r": "range", "R": "remote-time", "s": "silent",
    "S": "show-error", "t": "telnet-option", "T": "upload-file", "u": "user", "U": "proxy-user",
    "v": "verbose", "V": "version", "w": "write-out", "x": "proxy", "X": "request",
    "y": "speed-time", "Y": "speed-limit", "z": "time-cond", "Z": "parallel", ":": "next",
    "#": "progress-bar", "0": "http1.0", "1": "tlsv1", "2": "sslv2", "3": "sslv3", "4": "ipv4",
    "6": "ipv6",
  ]

  /// The options followed by a value.
  static let valued: Set<String> = names(
    """
    abstract-unix-socket alt-svc aws-sigv4 cacert capath cert-type cert ciphers config connect-timeout connect-to
    continue-at cookie-jar cookie create-file-mode crlfile curves data-ascii data-binary data-raw data-urlencode
    data delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header ech egd-file engine
    etag-compare etag-save expect100-timeout form-string form ftp-account ftp-alternative-to-user ftp-method ftp-port
    ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip header help hostpubmd5 hostpubsha256 hsts
    httpsig-algo httpsig-headers httpsig-key httpsig-keyid interface ip-tos ipfs-gateway json keepalive-cnt
    keepalive-time key-type key knownhosts krb libcurl limit-rate local-port login-options mail-auth mail-from
    mail-rcpt max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer output-dir output parallel-max-host
    parallel-max pass pinnedpubkey preproxy proto-default proto-redir proto proxy-cacert proxy-capath proxy-cert-type
    proxy-cert proxy-ciphers proxy-crlfile proxy-header proxy-key-type proxy-key proxy-pass proxy-pinnedpubkey
    proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy-user proxy proxy1.0
    pubkey quote random-file range rate referer request-target request resolve retry-delay retry-max-time retry
    sasl-authzid service-name sigalgs socks4 socks4a socks5-gssapi-service socks5-hostname socks5 speed-limit
    speed-time ssl-sessions stderr telnet-option tftp-blksize time-cond tls-max tls13-ciphers tlsauthtype tlspassword
    tlsuser trace-ascii trace-config trace unix-socket upload-file upload-flags url-query url user-agent user variable
    vlan-priority write-out
    """)

  /// The options that change only curl's output or its way of working, or that a component applies
  /// anyway.
  static let silent: Set<String> = names(
    """
    silent show-error show-headers include verbose compressed progress-bar progress-meter buffer
    disable styled-output create-dirs fail-early parallel parallel-immediate parallel-max stderr trace trace-ascii
    trace-config trace-ids trace-time tcp-nodelay keepalive keepalive-time keepalive-cnt alpn npn remote-time
    clobber out-null proxy-basic suppress-connect-headers tr-encoding raw use-ascii
    libcurl remove-on-error sessionid junk-session-cookies help version manual xattr
    """)

  private static func names(_ text: String) -> Set<String> {
    Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
  }

  /// Returns true if curl would expand the URL to several: `{a,b}` and `[1-3]`, not the brackets of
  /// IPv6.
  static func hasPattern(_ url: ImportedText) -> Bool {
    let text = url.mapExpressions { _ in ImportedText() }.literal ?? ""
    if text.contains("{") { return true }
    return text.split(separator: "[").dropFirst(text.hasPrefix("[") ? 0 : 1).contains { rest in
      let inside = rest.prefix { $0 != "]" }
      return !inside.isEmpty && !inside.allSatisfy { $0.isHexDigit || ":.".contains($0) }
    }
  }
}
