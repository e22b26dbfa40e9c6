import FlowCore

/// Keeps a balance in a file of one line, such as `87.50`.
///
/// The file is read for every answer, because others may write it, and replaced as a whole.
struct FileBalanceStore: BalanceStore {
  // Far more than a sign, 38 digits, a point and an exponent need.
  private static let longest = 128

  let directory: Directory
  let path: String
  /// The balance while there is no file.
  let opening: Decimal

  func balance() throws(BalanceError) -> Decimal {
    let bytes: [UInt8]
    do { bytes = try directory.read(path, limit: Self.longest) } catch {
      switch error.kind {
      case .missing: return opening
      case .tooLarge: throw .brokenFile(path)
      default: throw .unavailable("\(error)")
      }
    }
    guard let balance = Self.balance(in: bytes) else { throw .brokenFile(path) }
    return balance
  }

  func apply(_ change: BalanceChange) throws(BalanceError) -> Decimal {
    let balance = try change.applied(to: try balance())
    do { try directory.write(Array("\(balance)\n".utf8), to: path) } catch {
      // The error's own text speaks of reading, and of the file's place on this machine.
      let reason = error.reason.isEmpty ? "" : ": " + error.reason
      throw .unavailable("cannot write '\(path)'" + reason)
    }
    return balance
  }

  private static func balance(in bytes: [UInt8]) -> Decimal? {
    let line = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
    guard let text = String(validating: line, as: UTF8.self), let amount = Decimal(text) else {
      return nil
    }
    // An amount that no balance can have is as broken as one that is no number.
    return try? BalanceChange.addition(amount).applied(to: BalanceChange.zero)
  }
}
