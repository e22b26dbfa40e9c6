private import CUpstream

/// A `flow_server` from its start to its end.
///
/// `@unchecked`: its functions lock the server, and the listener calls `stop` once.
@safe final class RunningServer: @unchecked Sendable {
  private let server: OpaquePointer
  private let desk: Unmanaged<RequestDesk>
  private let access: ListenerAccess

  /// Starts a server whose events go to a desk.
  init(
    port: Int, limits: ListenerLimits, access: ListenerAccess, desk: RequestDesk
  ) throws(ListenerError) {
    guard let number = UInt16(exactly: port) else {
      throw .port(port, reason: "the number is not between 0 and 65535")
    }
    let library: ServerLibrary
    do { library = try ServerLibrary.system() } catch { throw .library(error) }
    let retained = unsafe Unmanaged.passRetained(desk)
    var failure: Int32 = 0
    let started = unsafe Self.start(
      library.functions, number, limits, access, retained.toOpaque(), &failure)
    guard let server = unsafe started else {
      unsafe retained.release()
      throw .port(port, reason: systemText(failure))
    }
    unsafe (self.server, self.desk, self.access) = (server, retained, access)
  }

  var port: Int { unsafe Int(flow_server_port(server)) }

  func closePort() { unsafe flow_server_close_port(server) }

  func openPort() -> Int32 { unsafe flow_server_open_port(server) }

  /// Ends the server.
  ///
  /// No event follows.
  func stop() {
    unsafe flow_server_stop(server)
    unsafe desk.release()
  }

  private static func start(
    _ library: OpaquePointer, _ port: UInt16, _ limits: ListenerLimits, _ access: ListenerAccess,
    _ desk: UnsafeMutableRawPointer, _ failure: inout Int32
  ) -> OpaquePointer? {
    var settings = unsafe limits.settings
    unsafe settings.port = port
    var events = unsafe events(desk)
    unsafe settings.user = access.user
    guard let proxy = access.proxy else {
      return unsafe flow_server_start(library, &settings, &events, &failure)
    }
    return unsafe proxy.token.withCString { token in
      unsafe settings.token = token
      unsafe settings.authority = proxy.authority.pointer
      return unsafe flow_server_start(library, &settings, &events, &failure)
    }
  }

  private static func events(_ desk: UnsafeMutableRawPointer) -> flow_server_events {
    unsafe flow_server_events(
      context: desk,
      arrived: { unsafe receiver($0).arrived(IncomingRequest(taking: $1)) },
      left: { unsafe receiver($0).left($1) },
      drained: { unsafe receiver($0).drained($1) },
      readable: { unsafe receiver($0).readable($1) },
      ended: { number, request, _ in unsafe receiver(number).ended(request) },
      refused: { unsafe receiver($0).refused(Refusal($1)) },
      shook: { unsafe receiver($0).shook(Handshake(String(cString: $1), $2)) },
      http2: { context, isNeeded in
        unsafe receiver(context).http2(isNeeded: isNeeded)?.functions
      })
  }
}

private func receiver(_ context: UnsafeMutableRawPointer) -> RequestDesk {
  unsafe Unmanaged<RequestDesk>.fromOpaque(context).takeUnretainedValue()
}

/// The right to send requests to a listener.
struct ListenerAccess: Sendable {
  let proxy: ProxyAccess?
  let clients: ListenerClients

  /// The user for the C library.
  fileprivate var user: Int64 {
    guard proxy == nil, case .user(let user) = clients else { return Int64(flow_any_user) }
    return user
  }
}

extension ListenerLimits {
  /// The limits in the form of the C library.
  fileprivate var settings: flow_server_settings {
    unsafe flow_server_settings(
      port: 0, connections: UInt32(clamping: connections), head: headSize, body: bodySize,
      bodies: allBodiesSize, head_time: headTime.milliseconds, body_time: bodyTime.milliseconds,
      idle_time: idleTime.milliseconds, token: nil, user: Int64(flow_any_user),
      authority: nil)
  }
}

extension Duration {
  /// The whole milliseconds, as many as fit.
  fileprivate var milliseconds: Int32 {
    Int32(clamping: components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
  }
}

extension Handshake {
  fileprivate init(_ host: String, _ handshake: flow_handshake) {
    self.init(host: host, isAccepted: handshake == .accepted)
  }
}

extension Refusal {
  fileprivate init(_ refusal: flow_refusal) {
    self =
      switch refusal {
      case .body: .bodySize
      case .memory: .allBodiesSize
      case .head: .head
      case .credentials: .credentials
      case .time: .time
      case .stranger: .stranger
      }
  }
}
