internal import FlowCore
private import Synchronization

/// The addresses of servers, as programs see them: those of the upstream.
///
/// An answer may name its server, as in `Location`, in `Link` or in JSON. A program that follows such a
/// link would go past the upstream. So it gets the upstream's address, and what it sends back has the
/// server's again, as it was recorded.
final class OwnAddress: Sendable {
  /// The addresses of servers that answers had, by those that programs got in their place.
  private let servers = Mutex<[String: String]>([:])

  /// Returns an answer with the upstream's address in place of its server's.
  func shown(_ answer: ServerAnswer, at own: String) -> ServerAnswer {
    guard let server = answer.server, !server.isEmpty, server != own else { return answer }
    servers.withLock { $0[own] = server }
    return answer.replacing(server, with: own)
  }

  /// Returns a request with the server's address in place of the upstream's.
  func passed(_ request: PassedRequest, at own: String) -> PassedRequest {
    guard let server = servers.withLock({ $0[own] }) else { return request }
    return request.replacing(own, with: server)
  }
}

extension String {
  /// Returns the text with another address in place of one, which must not go on as another host,
  /// another port or another path.
  func replacing(address: String, with other: String) -> String {
    guard utf8.count >= address.utf8.count else { return self }
    let (bytes, old) = (Array(utf8), Array(address.utf8))
    var (result, place, hasFound) = ([UInt8](), 0, false)
    while place < bytes.count {
      let end = place + old.count
      if bytes[place] == old[0], bytes[place...].starts(with: old),
        end == bytes.count || !Self.goesOn(bytes[end])
      {
        result += Array(other.utf8)
        (place, hasFound) = (end, true)
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return hasFound ? String(decoding: result, as: UTF8.self) : self
  }

  private static func goesOn(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "@"):
      true
    default: false
    }
  }
}

extension Value {
  /// The value with another address in its texts.
  func replacing(address: String, with other: String) -> Value {
    mapping { value in
      guard case .string(let text) = value else { return value }
      return .string(text.replacing(address: address, with: other))
    }
  }

  /// The value with other values in the places of those that are no map and no list.
  func mapping(_ change: (Value) -> Value) -> Value {
    switch self {
    case .list(let values): return .list(values.map { $0.mapping(change) })
    case .map(var map):
      for entry in map.entries { map[entry.key] = entry.value.mapping(change) }
      return .map(map)
    default: return change(self)
    }
  }
}
