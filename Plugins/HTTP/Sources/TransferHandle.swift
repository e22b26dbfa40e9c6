private import CCurl

/// A `flow_transfer`, making one exchange after another on the driving thread.
@safe final class TransferHandle {
  private let library: CurlLibrary
  private let multi: OpaquePointer
  private let transfer: OpaquePointer
  /// True if cookies are kept and sent.
  let keepsCookies: Bool
  private var login: TransferLogin?
  private var unixSocket: String?

  /// Creates a handle of a `flow_multi`, which outlives it.
  ///
  /// - Throws: `TransferThreadError` for options refused by this libcurl, or without memory.
  init(
    _ library: CurlLibrary, _ multi: OpaquePointer, _ options: TransferOptions,
    keepsCookies: Bool = true
  ) throws(TransferThreadError) {
    guard let transfer = unsafe flow_transfer_new(multi, keepsCookies) else { throw .exhausted }
    self.library = library
    self.keepsCookies = keepsCookies
    unsafe self.multi = multi
    unsafe self.transfer = transfer
    try set(options)
  }

  deinit {
    unsafe flow_transfer_free(transfer)
  }

  /// Starts an exchange, whose end `flow_multi_next` reports by its number.
  func begin(_ number: UInt64, _ exchange: Transfer) throws(TransferThreadError) {
    unsafe flow_transfer_reset(
      transfer, number, exchange.isStream ? Self.greatestPiece : exchange.limit, exchange.isStream,
      exchange.isFollowed)
    set(.url, exchange.url)
    set(.timeout_ms, exchange.isStream ? 0 : exchange.timeout.milliseconds)
    set(.cookie, exchange.cookie)
    set(.path_as_is, exchange.isPassedOn || exchange.keepsPath ? 1 : 0)
    unsafe flow_transfer_set_once(transfer, exchange.isOnce)
    for line in exchange.headers { unsafe flow_transfer_add_header(transfer, line) }
    for line in exchange.proxyHeaders { unsafe flow_transfer_add_proxy_header(transfer, line) }
    set(exchange.method, exchange.body)
    try check("the request")
    try set(exchange.login)
    if exchange.unixSocket != unixSocket {
      set(.unix_socket, exchange.unixSocket)
      unixSocket = exchange.unixSocket
      try check("'unix_socket'")
    }
    guard unsafe flow_multi_add(multi, transfer) == 0 else { throw .exhausted }
  }

  /// Starts a connection without a request, whose end `flow_multi_next` reports by its number.
  func connect(
    _ number: UInt64, to url: String, unixSocket: String?
  ) throws(TransferThreadError) {
    unsafe flow_transfer_reset(transfer, number, 0, true, false)
    unsafe flow_transfer_set_connecting(transfer)
    set(.url, url)
    set(.unix_socket, unixSocket)
    try check("the connection")
    guard unsafe flow_multi_add(multi, transfer) == 0 else { throw .exhausted }
  }

  /// Waits for an open connection to be readable or writable, or for `flow_multi_wake`.
  func wait(toRead reads: Bool, toWrite writes: Bool) {
    unsafe flow_multi_wait_for(multi, transfer, reads, writes)
  }

  /// Sends the bytes that an open connection takes now, and returns their number.
  ///
  /// - Throws: `TransferFailure`.
  func send(_ bytes: ArraySlice<UInt8>) throws(TransferFailure) -> Int {
    var sent = 0
    let code = unsafe bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return Int32(0) }
      return unsafe flow_transfer_send(transfer, start, buffer.count, &sent)
    }
    if code != 0 { throw failure(code) }
    return sent
  }

  /// Returns the bytes that an open connection has received, none without any, or nil at its end.
  ///
  /// - Throws: `TransferFailure`.
  func receive() throws(TransferFailure) -> [UInt8]? {
    var (code, hasEnded) = (Int32(0), false)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.greatestPiece) { buffer, count in
      guard let room = buffer.baseAddress else { return }
      unsafe code = flow_transfer_receive(transfer, room, buffer.count, &count, &hasEnded)
    }
    if code != 0 { throw failure(code) }
    return hasEnded ? nil : bytes
  }

  /// True if the handle can make an exchange for another request.
  ///
  /// libcurl answers the next challenge as if it were the latest one, and takes another realm for a
  /// refusal of the password.
  var isReusable: Bool { if case .digest? = login { false } else { true } }

  /// Removes the handle from the exchanges, even during one, and frees both bodies.
  func end() {
    unsafe flow_multi_remove(multi, transfer)
  }

  // The most bytes kept of a stream for its task, apart from one piece of libcurl's.
  private static let greatestPiece = 65_536

  /// True if the exchange failed because the server changed the protocol.
  var wasUpgraded: Bool { unsafe flow_transfer_was_upgraded(transfer) }

  /// True if the head of the response has arrived.
  var hasHead: Bool { unsafe flow_transfer_has_head(transfer) }

  /// Takes the bytes received of a stream's body.
  func takeBody() -> [UInt8] {
    let bytes = unsafe flow_transfer_body(transfer).copy
    if !bytes.isEmpty { unsafe flow_transfer_discard_body(transfer) }
    return bytes
  }

  /// The lines after the body.
  var trailers: [UInt8] { unsafe flow_transfer_trailers(transfer).copy }

  /// Returns the reply of a finished exchange or of a started stream.
  func reply(_ number: UInt64, isStream: Bool = false) -> TransferReply {
    TransferReply(
      number: number, status: unsafe flow_transfer_status(transfer),
      head: unsafe flow_transfer_head(transfer).copy,
      trailers: isStream ? [] : trailers,
      body: isStream ? [] : unsafe flow_transfer_body(transfer).copy,
      location: unsafe flow_transfer_location(transfer).map { unsafe String(cString: $0) },
      elapsed: .microseconds(unsafe flow_transfer_microseconds(transfer)))
  }

  /// Returns the error of a failed exchange.
  func failure(_ code: Int32) -> TransferFailure {
    TransferFailure(
      code: code, meaning: library.text(code),
      detail: unsafe String(cString: flow_transfer_problem(transfer)),
      wasConnected: unsafe flow_transfer_was_connected(transfer),
      isTooLarge: unsafe flow_transfer_exceeded(transfer),
      connectStatus: unsafe flow_transfer_connect_status(transfer))
  }

  /// Sets the options shared by all exchanges.
  private func set(_ options: TransferOptions) throws(TransferThreadError) {
    set(.connect_timeout_ms, options.connectTimeout.milliseconds)
    // If empty, it overrides the proxies of the environment.
    set(.proxy, options.proxy)
    set(.proxy_user, options.proxyLogin?.user)
    set(.proxy_password, options.proxyLogin?.password)
    try check("'proxy'")
    if options.isPKCS12 { set(.certificate_kind, "P12") }
    set(.certificate, options.certificate)
    set(.key, options.key)
    // Never nil with a key: libcurl before 8.13 measures the passphrase of an encrypted one
    // unchecked.
    if options.certificate != nil { set(.key_password, options.keyPassword ?? "") }
    try check(
      options.isPKCS12
        ? "'client_pkcs12', which needs version 7.71"
        : "'client_cert' and 'client_key', which need version 7.71")
    set(.authorities, options.authorities)
    try check("'ca_file', which needs version 7.77")
    if options.isInsecure {
      set(.verify_peer, 0)
      set(.verify_host, 0)
    }
    // A libcurl without such a folder refuses this, which does no harm.
    if options.authorities != nil { set(.ca_path, nil as String?) }
  }

  /// Throws if libcurl refused an option that the exchange depends on.
  private func check(_ meaning: String) throws(TransferThreadError) {
    let code = unsafe flow_transfer_refusal(transfer)
    if code != 0 { throw .refused(meaning, reason: library.text(code)) }
  }

  /// Sets or resets the login.
  ///
  /// Left alone without any, since older versions of libcurl do not know all of these options.
  private func set(_ login: TransferLogin?) throws(TransferThreadError) {
    if case .digest? = login { unsafe flow_transfer_set_challenge(transfer) }
    guard login != self.login else { return }
    if case .signature(let scope, _)? = login {
      set(.sigv4, scope)
      try check("'sigv4', which needs version 7.75")
    } else {
      if self.login != nil { set(.sigv4, nil as String?) }
      // CURLAUTH_DIGEST, or CURLAUTH_BASIC, the default.
      set(.http_auth, login == nil ? 1 : 2)
    }
    set(.user, login?.login.user)
    set(.password, login?.login.password)
    try check("'auth'")
    self.login = login
  }

  private func set(_ method: String, _ body: [UInt8]?) {
    // Resets HEAD and a body.
    set(.http_get, 1)
    set(.custom_request, nil as String?)
    unsafe flow_transfer_set_sending(transfer, body?.isEmpty == false)
    if let body {
      set(.post, 1)
      unsafe body.withUnsafeBytes {
        unsafe flow_transfer_set_body(transfer, $0.baseAddress, $0.count)
      }
    }
    switch (method, body) {
    case ("GET", nil), ("POST", .some): break
    case ("HEAD", nil): set(.nobody, 1)
    default: set(.custom_request, method)
    }
  }

  private func set(_ option: flow_option, _ value: Int) {
    unsafe flow_transfer_set_number(transfer, option, value)
  }

  private func set(_ option: flow_option, _ text: String?) {
    unsafe flow_transfer_set_text(transfer, option, text)
  }

  private func set(_ option: flow_option, _ bytes: [UInt8]?) {
    guard let bytes else { return }
    unsafe bytes.withUnsafeBytes {
      unsafe flow_transfer_set_bytes(transfer, option, $0.baseAddress, $0.count)
    }
  }
}

extension TransferHandle {
  /// The cookies of the component, one a line in Netscape's format.
  var cookies: [String] {
    let list = unsafe flow_transfer_cookies(transfer)
    defer { unsafe flow_list_free(library.functions, list) }
    var lines: [String] = []
    var rest = unsafe list
    while let next = unsafe rest {
      unsafe lines.append(String(cString: flow_list_text(next)))
      unsafe rest = flow_list_next(next)
    }
    return lines
  }

  /// Adds a cookie in Netscape's format, or removes all of them by `ALL`.
  func changeCookies(_ line: String) { unsafe flow_transfer_change_cookies(transfer, line) }
}

extension flow_bytes {
  fileprivate var copy: [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  }
}

extension Duration {
  /// The duration in milliseconds, at least 1, since 0 means no limit to libcurl.
  fileprivate var milliseconds: Int {
    let (seconds, attoseconds) = components
    // libcurl accepts no more than 31 bits of milliseconds, 24 days.
    return max(1, Int(min(seconds, 2_000_000)) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}
