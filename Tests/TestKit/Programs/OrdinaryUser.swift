private import Foundation

/// Runs a body that does not wait with the file permissions of an ordinary user.
///
/// The administrator passes every permission, and builds in containers run as the administrator.
/// Linux keeps the user of file accesses for each thread (`setfsuid(2)`), so other tests see nothing
/// of it.
package func withoutPrivileges<Result>(_ body: () throws -> Result) rethrows -> Result {
  #if os(Linux)
    guard geteuid() == 0 else { return try body() }
    // Swift's module of the C library leaves <sys/fsuid.h> out.
    typealias SetUser = @convention(c) (uid_t) -> CInt
    guard let function = unsafe dlsym(dlopen(nil, RTLD_NOW), "setfsuid") else {
      preconditionFailure("the C library has no setfsuid")
    }
    let setUser = unsafe unsafeBitCast(function, to: SetUser.self)
    let nobody: uid_t = 65_534
    _ = setUser(nobody)
    defer { _ = setUser(0) }
  #endif
  return try body()
}
