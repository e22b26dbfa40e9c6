private import Foundation

/// A port that is free now.
package func freePort() throws -> Int {
  #if os(Linux)
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let listener = socket(AF_INET, SOCK_STREAM, 0)
  #endif
  defer { close(listener) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Int32 in
      guard unsafe bind(listener, address, length) == 0 else { return -1 }
      return unsafe getsockname(listener, address, &length)
    }
  }
  guard result == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
  return Int(UInt16(bigEndian: address.sin_port))
}
