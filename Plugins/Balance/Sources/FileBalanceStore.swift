import FlowCore

/// Keeps a balance in a file: the balance, such as `87.50`, and the key of the last change, a line each.
///
/// The file is read for every answer, because others may write it, and replaced as a whole, so that
/// balance and key always belong together. The key may be absent.
struct FileBalanceStore: BalanceStore {
  // Far more than a sign, 38 digits, a point and an exponent need.
  private static let longestAmount = 128
  // A key holds the path of a step, which may be long.
  private static let longest = 64 << 10

  private struct Content {
    let balance: Decimal
    var key: String?
  }

  let directory: Directory
  let path: String
  /// The balance while there is no file.
  let opening: Decimal

  func balance() throws(BalanceError) -> Decimal {
    try content().balance
  }

  func balance(after key: String) throws(BalanceError) -> Decimal? {
    let content = try content()
    return content.key == key ? content.balance : nil
  }

  func apply(_ change: BalanceChange, key: String) throws(BalanceError) -> Decimal {
    let balance = try change.applied(to: try balance())
    do { try directory.write(Array("\(balance)\n\(key)\n".utf8), to: path) } catch {
      // The error's own text speaks of reading, and of the file's place on this machine.
      let reason = error.reason.isEmpty ? "" : ": " + error.reason
      throw .unavailable("cannot write '\(path)'" + reason)
    }
    return balance
  }

  private func content() throws(BalanceError) -> Content {
    let bytes: [UInt8]
    do { bytes = try directory.read(path, limit: Self.longest) } catch {
      switch error.kind {
      case .missing: return Content(balance: opening)
      case .tooLarge: throw .brokenFile(path)
      default: throw .unavailable("\(error)")
      }
    }
    guard let content = Self.content(of: bytes) else { throw .brokenFile(path) }
    return content
  }

  private static func content(of bytes: [UInt8]) -> Content? {
    let whole = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
    let lines = whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count <= 2, lines[0].count <= longestAmount,
      let text = String(validating: lines[0], as: UTF8.self),
      let amount = Decimal(text),
      // An amount that no balance can have is as broken as one that is no number.
      let balance = try? BalanceChange.addition(amount).applied(to: BalanceChange.zero)
    else { return nil }
    guard lines.count == 2 else { return Content(balance: balance) }
    guard let key = String(validating: lines[1], as: UTF8.self), !key.isEmpty else { return nil }
    return Content(balance: balance, key: key)
  }
}
