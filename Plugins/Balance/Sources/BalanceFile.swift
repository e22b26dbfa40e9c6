import FlowCore

/// A file with a balance, such as `87.50`, which other programs may change, too.
///
/// The balance is in the first line. A line follows for each of the latest changes, oldest first:
/// the balance after it and the digest of its key.
///
/// The file is read for every answer and replaced as a whole, so balance and changes always belong
/// together. The lines of changes may be absent.
struct BalanceFile: Sendable {
  // Far more than a sign, 38 digits, a point and an exponent need.
  private static let longestAmount = 128
  // As many changes as steps can be made at the same time, of which a crash may have lost the answers.
  private static let remembered = 1_000
  private static let longest = 256 << 10

  private static let keyLength = 32

  private struct Content {
    let balance: Decimal
    /// The lines of the changes, without their ends, read on demand.
    var changes: [ArraySlice<UInt8>] = []
  }

  let directory: Directory
  let path: String
  /// The balance while the file is missing.
  let opening: Decimal

  /// The balance now.
  ///
  /// - Throws: `.unavailable` or `.brokenFile`, as the other functions do.
  func balance() throws(BalanceError) -> Decimal { try content().balance }

  /// The balance after the change with this key, or nil if it is not one of the latest.
  func balance(after key: String) throws(BalanceError) -> Decimal? {
    let key = Self.digest(of: key)
    guard
      let line = try content().changes.last(where: {
        $0.suffix(Self.keyLength).elementsEqual(key)
      })
    else { return nil }
    guard let balance = Self.amount(line.dropLast(Self.keyLength + 1)) else {
      throw .brokenFile(path)
    }
    return balance
  }

  /// Changes the balance, remembers the key, and returns the new balance.
  ///
  /// - Throws: Errors of the file and of `BalanceChange.applied(to:)`. Nothing has changed then.
  func apply(_ change: BalanceChange, key: String) throws(BalanceError) -> Decimal {
    let content = try content()
    let balance = try change.applied(to: content.balance)
    var text = Array("\(balance)\n".utf8)
    for line in content.changes.suffix(Self.remembered - 1) { text += line + "\n".utf8 }
    text += "\(balance) ".utf8 + Self.digest(of: key) + "\n".utf8
    do { try directory.write(text, to: path) } catch {
      // The error's own text speaks of reading, and of the file's place on this machine.
      let reason = error.reason.isEmpty ? "" : ": " + error.reason
      throw .unavailable("cannot write '\(path)'" + reason)
    }
    return balance
  }

  /// The first half of the key's SHA-256 digest: keys hold the paths of steps, which may be long.
  private static func digest(of key: String) -> [UInt8] {
    Array(SHA256(Array(key.utf8)).hexadecimal.utf8.prefix(keyLength))
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
    let changes = lines.dropFirst()
    guard let balance = amount(lines[0]), changes.count <= remembered,
      changes.allSatisfy({ $0.dropLast(keyLength).last == UInt8(ascii: " ") })
    else { return nil }
    return Content(balance: balance, changes: Array(changes))
  }

  /// The valid amount in a text, or nil.
  private static func amount(_ text: ArraySlice<UInt8>) -> Decimal? {
    guard text.count <= longestAmount, let text = String(validating: text, as: UTF8.self),
      let amount = Decimal(text)
    else { return nil }
    return try? BalanceChange.addition(amount).applied(to: BalanceChange.zero)
  }
}
