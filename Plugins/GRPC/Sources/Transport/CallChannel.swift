private import CHTTP2
internal import FlowCore
private import Synchronization

/// The loaded libnghttp2.
///
/// `@unchecked`: it is a table of functions and never changes.
@safe private final class HTTP2Library: @unchecked Sendable {
  let functions: OpaquePointer

  private init() throws(LibraryError) {
    unsafe functions = try SystemLibrary("calls of gRPC need", debian: "libnghttp2-14")
      .load { unsafe flow_grpc_nghttp2_load(&$0) }
  }

  static let loaded = Result(catching: HTTP2Library.init)
}

/// The loaded GnuTLS.
///
/// `@unchecked`: it is a table of functions and never changes.
@safe private final class TLSLibrary: @unchecked Sendable {
  let functions: OpaquePointer

  private init() throws(LibraryError) {
    unsafe functions = try SystemLibrary("calls of gRPC with TLS need", debian: "libgnutls30")
      .load { unsafe flow_grpc_tls_load(&$0) }
  }

  static let loaded = Result(catching: TLSLibrary.init)
}

/// The settings of a connection.
struct ChannelOptions: Sendable {
  var address: CallAddress
  var connectTimeout: Duration
  var isInsecure = false
  /// Certificates in PEM that are trusted instead of the system's.
  var authorities: [UInt8] = []
  /// The client's certificate and key in PEM.
  var certificate: [UInt8] = []
  var key: [UInt8] = []
  var keyPassword: String?
}

/// A thread with the connection to a server, and the streams of calls on it.
///
/// `@unchecked`: the C functions lock what they use, and `close` is called once, after all other
/// calls.
@safe final class CallChannel: @unchecked Sendable {
  private let channel: OpaquePointer
  private let news = StreamNews()

  /// Loads the libraries and starts the thread, which connects for the first call.
  ///
  /// - Throws: `LibraryError` or `CallFailure`.
  init(_ options: ChannelOptions) throws {
    let library = try HTTP2Library.loaded.get()
    let tls = options.address.hasTLS ? try TLSLibrary.loaded.get() : nil
    var problem = [CChar](repeating: 0, count: 256)
    let context = unsafe Unmanaged.passUnretained(news).toOpaque()
    let channel = unsafe Self.started(options, tls?.functions) { settings in
      unsafe flow_grpc_channel_new(
        library.functions, &settings,
        { context, number in
          guard let context = unsafe context else { return }
          unsafe Unmanaged<StreamNews>.fromOpaque(context).takeUnretainedValue().note(number)
        }, context, &problem, problem.count)
    }
    guard let channel = unsafe channel else {
      let bytes = problem.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw CallFailure(String(decoding: bytes, as: UTF8.self))
    }
    unsafe self.channel = channel
  }

  private static func started(
    _ options: ChannelOptions, _ tls: OpaquePointer?,
    _ start: (inout flow_grpc_channel_settings) -> OpaquePointer?
  ) -> OpaquePointer? {
    let address = options.address
    let texts = [address.host, address.port, address.authority, options.keyPassword ?? ""]
    return unsafe CStrings(texts).withPointers { texts in
      unsafe options.authorities.withUnsafeBufferPointer { authorities in
        unsafe options.certificate.withUnsafeBufferPointer { certificate in
          unsafe options.key.withUnsafeBufferPointer { key in
            guard let host = unsafe texts[0], let port = unsafe texts[1],
              let authority = unsafe texts[2]
            else { return nil }
            var settings = unsafe flow_grpc_channel_settings(
              host: host, port: port, authority: authority,
              connect_milliseconds: options.connectTimeout.milliseconds, tls: tls,
              is_insecure: options.isInsecure,
              authorities: flow_content(bytes: authorities.baseAddress, count: authorities.count),
              certificate: flow_content(bytes: certificate.baseAddress, count: certificate.count),
              key: flow_content(bytes: key.baseAddress, count: key.count),
              key_password: options.keyPassword == nil ? nil : texts[3])
            return unsafe start(&settings)
          }
        }
      }
    }
  }

  /// Ends all calls, the connection and the thread.
  func close() { unsafe flow_grpc_channel_close(channel) }

  /// Starts a request.
  ///
  /// - Throws: `CallFailure` without memory.
  func open(
    _ path: String, _ headers: [(name: String, value: String)]
  ) throws(CallFailure) -> CallStream {
    let texts = headers.flatMap { [$0.name, $0.value] }
    let number = unsafe CStrings(texts).withPointers { texts in
      unsafe texts.withMemoryRebound(to: UnsafePointer<CChar>.self, capacity: headers.count * 2) {
        unsafe flow_grpc_channel_open(channel, path, $0, headers.count)
      }
    }
    guard number > 0 else { throw CallFailure("the system is out of memory") }
    return CallStream(number, self)
  }

  // MARK: - One stream

  /// The most bytes of a request that wait in memory before its writer does.
  private static let greatestUnsent = 65_536

  fileprivate func head(_ number: UInt64) async throws -> CallHead {
    while true {
      let version = news.version(of: number)
      let state = unsafe StreamState(flow_grpc_channel_head(channel, number))
      if state.status > 0 {
        return CallHead(status: state.status, headers: CallHead.headers(state.lines))
      }
      if state.isEnded {
        throw CallFailure(state.failure ?? "the server ended the call without a response")
      }
      try await news.wait(for: number, after: version)
    }
  }

  fileprivate func next(_ number: UInt64) async throws -> CallPart {
    while true {
      let version = news.version(of: number)
      if let part = try arrived(number) { return part }
      try await news.wait(for: number, after: version)
    }
  }

  // Inlined into an asynchronous function, its typed error makes the compiler crash (Swift 6.3.1, -O).
  @inline(never)
  fileprivate func arrived(_ number: UInt64) throws(CallFailure) -> CallPart? {
    let state = unsafe StreamState(flow_grpc_channel_take(channel, number))
    if !state.bytes.isEmpty { return .bytes(state.bytes) }
    if let failure = state.failure { throw CallFailure(failure) }
    return state.isEnded ? .end(CallHead.headers(state.lines)) : nil
  }

  fileprivate func write(_ number: UInt64, _ bytes: [UInt8], isEnd: Bool) async throws {
    let rest = unsafe bytes.withUnsafeBytes {
      unsafe flow_grpc_channel_write(channel, number, $0.baseAddress, $0.count, isEnd)
    }
    if rest <= Self.greatestUnsent { return }
    while true {
      let version = news.version(of: number)
      if unsafe flow_grpc_channel_unsent(channel, number) <= Self.greatestUnsent { return }
      try await news.wait(for: number, after: version)
    }
  }

  fileprivate func end(_ number: UInt64) {
    unsafe flow_grpc_channel_end(channel, number)
    news.forget(number)
  }
}

/// A copy of a stream's state.
private struct StreamState {
  let status: Int
  let isEnded: Bool
  let lines: String
  let failure: String?
  let bytes: [UInt8]

  /// Copies a state, and frees its parts.
  init(_ state: flow_stream_state) {
    status = unsafe Int(state.status)
    isEnded = unsafe state.is_ended
    lines = unsafe Self.text(state.lines) ?? ""
    failure = unsafe Self.text(state.failure)
    bytes = unsafe Array(UnsafeBufferPointer(start: state.bytes, count: state.count))
    unsafe flow_grpc_stream_free(state.bytes)
  }

  private static func text(_ text: UnsafeMutablePointer<CChar>?) -> String? {
    guard let text = unsafe text else { return nil }
    defer { unsafe flow_grpc_stream_free(text) }
    return unsafe String(cString: text)
  }
}

/// A request and its response, which are written and read bit by bit.
///
/// One task at a time may write, and one may read. The owner ends it.
struct CallStream: Sendable {
  private let number: UInt64
  private let channel: CallChannel

  fileprivate init(_ number: UInt64, _ channel: CallChannel) {
    (self.number, self.channel) = (number, channel)
  }

  /// Waits for the head of the response.
  ///
  /// - Throws: `CallFailure` or `CancellationError`.
  func head() async throws -> CallHead { try await channel.head(number) }

  /// Waits for the next part of the response.
  ///
  /// - Throws: `CallFailure` or `CancellationError`.
  func next() async throws -> CallPart { try await channel.next(number) }

  /// Returns the next part of the response, or nil if none has arrived.
  ///
  /// - Throws: `CallFailure`.
  func arrived() throws(CallFailure) -> CallPart? { try channel.arrived(number) }

  /// Writes bytes, and waits until they are nearly sent or nobody receives them.
  ///
  /// - Throws: `CancellationError`.
  func write(_ bytes: [UInt8], isEnd: Bool = false) async throws {
    try await channel.write(number, bytes, isEnd: isEnd)
  }

  /// Ends the stream, and tells the server so unless both sides have ended.
  func end() { channel.end(number) }
}

/// The start of a response.
struct CallHead: Sendable {
  let status: Int
  /// The headers in their order, with names in lower case.
  let headers: [(name: String, value: String)]

  /// The value of the first header with a name.
  subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  fileprivate static func headers(_ lines: String) -> [(name: String, value: String)] {
    lines.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let value = line[colon...].dropFirst().drop { $0 == UInt8(ascii: " ") }
      return (String(Substring(line[..<colon])), String(Substring(value)))
    }
  }
}

/// A part of a response's body.
enum CallPart: Sendable {
  /// Bytes, at least one.
  case bytes([UInt8])
  /// The end, with the headers behind the body.
  case end([(name: String, value: String)])
}

/// A call that ended without a complete response.
struct CallFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    // GnuTLS ends its sentences about certificates with a space.
    self.description = String(description.reversed().drop { $0 == " " }.reversed())
  }
}

/// The changes of streams, for tasks that wait for them.
private final class StreamNews: Sendable {
  private typealias Waiter = CheckedContinuation<Void, Never>

  private struct State {
    var versions: [UInt64: Int] = [:]
    var waiters: [UInt64: [Int: Waiter]] = [:]
    var lastWaiter = 0
  }

  private let state = Mutex(State())

  /// Notes a change.
  func note(_ number: UInt64) {
    let waiters = state.withLock { state in
      state.versions[number, default: 0] += 1
      return state.waiters.removeValue(forKey: number)
    }
    for waiter in (waiters ?? [:]).values { waiter.resume() }
  }

  /// The number of changes of a stream.
  func version(of number: UInt64) -> Int { state.withLock { $0.versions[number] ?? 0 } }

  /// Waits for a change after some others.
  ///
  /// - Throws: `CancellationError`.
  func wait(for number: UInt64, after version: Int) async throws {
    let key = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let isOver = state.withLock { state in
          if (state.versions[number] ?? 0) != version || Task.isCancelled { return true }
          state.waiters[number, default: [:]][key] = waiter
          return false
        }
        if isOver { waiter.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters[number]?.removeValue(forKey: key) }?.resume()
    }
    try Task.checkCancellation()
  }

  /// Forgets a stream that has ended, and ends what waits for it.
  func forget(_ number: UInt64) {
    let waiters = state.withLock { state in
      state.versions[number] = nil
      return state.waiters.removeValue(forKey: number)
    }
    for waiter in (waiters ?? [:]).values { waiter.resume() }
  }
}

extension Duration {
  /// The duration in milliseconds, at least 1.
  fileprivate var milliseconds: Int32 {
    let (seconds, attoseconds) = components
    return max(
      1, Int32(min(seconds, 2_000_000)) * 1_000 + Int32(attoseconds / 1_000_000_000_000_000))
  }
}
