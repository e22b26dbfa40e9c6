internal import FlowSystem

/// The place of a journal in a PostgreSQL server: `postgres://user@host:5432/database#NAME`.
///
/// libpq reads the part before the name. The name is that of the journal.
package struct DatabaseAddress: Sendable, Hashable {
  /// The URL for libpq, possibly with a password.
  let url: String
  /// The journal's name, 1 to 200 characters, or nil if the address names only a database.
  package let name: String?
  /// The address without passwords, as messages show it.
  package let description: String

  /// The longest name, in characters.
  package static let longestName = 200

  /// Parses an address, or returns nil for a string of another kind, such as a path.
  ///
  /// - Throws: `DatabaseAddressError` when the name is empty, too long, or wrongly percent-encoded,
  ///   or when libpq would read the part before it differently than intended, and might print a
  ///   part of the password.
  package init?(_ text: String) throws(DatabaseAddressError) {
    guard Self.isAddress(text) else { return nil }
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    url = String(parts[0])
    guard let shown = Self.shown(parts[0]) else { throw DatabaseAddressError.server }
    guard !text.utf8.contains(0) else { throw DatabaseAddressError.name }
    if parts.count == 2 {
      guard let name = String(parts[1]).percentDecoded, 1...Self.longestName ~= name.count,
        !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }),
        // Otherwise it may be the rest of a password with '#' in it, whose start looks like a port.
        !parts[1].contains("@") || parts[0].contains("@")
          || parts[0].split(separator: ":").count < 3
      else { throw DatabaseAddressError.name }
      self.name = name
    } else {
      name = nil
    }
    description = shown + (parts.count == 2 ? "#" + parts[1] : "")
  }

  private init(url: String, name: String, description: String) {
    (self.url, self.name, self.description) = (url, name, description)
  }

  /// The address of a journal in the database.
  package func naming(_ journal: String) -> DatabaseAddress {
    let database = description.prefix { $0 != "#" }
    return DatabaseAddress(
      url: url, name: journal,
      description: "\(database)#\(PercentEncoding.component.encode(journal.utf8))")
  }

  /// Returns true if a string is an address of this kind and not a path.
  package static func isAddress(_ text: String) -> Bool {
    let text = text.prefix(13).lowercased()
    return text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
  }

  /// Returns a URL without its passwords, or nil for a misleading one.
  ///
  /// libpq reads `scheme://USER:PASSWORD@HOST:PORT,.../DATABASE?NAME=VALUE&...`. Up to the first
  /// `@` or `/` it looks for a user.
  private static func shown(_ url: Substring) -> String? {
    guard let scheme = url.firstRange(of: "://"),
      url[..<scheme.lowerBound].allSatisfy(\.isLowercase)
    else { return nil }
    var rest = url[scheme.upperBound...]
    var shown = String(url[..<scheme.upperBound])
    if let sign = rest.firstIndex(where: { $0 == "@" || $0 == "/" }), rest[sign] == "@" {
      shown += rest.prefix { $0 != ":" && $0 != "@" } + "@"
      rest = rest[sign...].dropFirst()
    }
    let hosts = rest.prefix { $0 != "/" && $0 != "?" }
    guard hosts.split(separator: ",").allSatisfy(isHost), !rest.contains("@") else { return nil }
    shown += rest.prefix { $0 != "?" }
    let parameters = rest.drop { $0 != "?" }.dropFirst().split(separator: "&")
    guard parameters.allSatisfy({ $0.contains("=") }) else { return nil }
    let open = parameters.filter { parameter in
      let name = parameter.prefix { $0 != "=" }
      // A name that has to be decoded hides something: none of libpq's needs it.
      return !name.lowercased().hasSuffix("password") && !name.contains("%")
    }
    return shown + (open.isEmpty ? "" : "?" + open.joined(separator: "&"))
  }

  /// `HOST`, `HOST:PORT`, `[ADDRESS]:PORT` or nothing.
  private static func isHost(_ text: Substring) -> Bool {
    let name = text.hasPrefix("[") ? text.prefix { $0 != "]" } + "]" : text.prefix { $0 != ":" }
    let port = text.dropFirst(name.count)
    return port.isEmpty || port.hasPrefix(":") && port.dropFirst().allSatisfy { "0"..."9" ~= $0 }
  }
}

/// The passwords in command-line arguments that are, or resemble, addresses of databases.
///
/// Messages quote arguments, including malformed ones. Other text is not searched: the output of a
/// run may look like an address with a password.
package struct AddressPasswords: Sendable {
  /// The passwords as written in the arguments, with their replacements.
  private var quotations: [(text: String, shown: String)] = []

  /// The passwords in arguments, each of which may be an option with its value.
  package init(in arguments: [String]) {
    for argument in arguments { add(Self.place(in: argument)) }
  }

  /// A message without the passwords.
  package func removed(from text: String) -> String {
    quotations.reduce(text) { $0.replacing($1.text, with: $1.shown) }
  }

  /// Returns the part after the scheme and the slashes of an address, or an empty string.
  private static func place(in argument: String) -> Substring {
    let bytes = argument.utf8.map { $0.isLetter ? $0 | 0x20 : $0 }
    for scheme in ["postgres:", "postgresql:"] {
      guard let range = bytes.firstRange(of: scheme.utf8) else { continue }
      let rest = argument.utf8.dropFirst(range.upperBound).drop { "/\\".utf8.contains($0) }
      return Substring(rest)
    }
    // Misspelt, as `postgre://`, `postgresql//` and `pg://`: the part before the first path.
    guard let slashes = argument.firstRange(of: "//") else { return "" }
    let scheme = argument[..<slashes.lowerBound].lowercased()
    guard scheme.contains("postgre") || scheme.hasSuffix("pg:") else { return "" }
    let server = argument[slashes.upperBound...].prefix { !"/?#".contains($0) }
    return server.contains("@") ? server : ""
  }

  private mutating func add(_ place: Substring) {
    // The last one: '@' in a password should be encoded, but may not be.
    if let at = place.lastIndex(of: "@"), let colon = place[..<at].firstIndex(of: ":") {
      let port = place[colon..<at].dropFirst().prefix { "0"..."9" ~= $0 }
      let isPort = !port.isEmpty && port.endIndex < at && "/?#".contains(place[port.endIndex])
      if !isPort { add(place[colon...at].dropFirst().dropLast(), between: ":", "@", shown: "@") }
    }
    for part in place.split(whereSeparator: { "?&".contains($0) }) {
      guard let sign = part.firstIndex(of: "="), part[..<sign].lowercased().hasSuffix("password")
      else { continue }
      let value = part[sign...].dropFirst()
      let name = "\(part[...sign])"
      add(value[..<(value.lastIndex(of: "#") ?? value.endIndex)], between: name, "", shown: name)
    }
  }

  /// Adds a password between its neighbours, as it is and in the forms printed by messages.
  private mutating func add(
    _ password: Substring, between first: String, _ last: String, shown: String
  ) {
    guard !password.isEmpty else { return }
    let text = String(password)
    for form in [text, text.escaped, text.onOneLine] {
      quotations.append((first + form + last, shown))
    }
  }
}

extension String {
  /// An argument without the passwords of the address that it is, or should have been.
  package var withoutPasswords: String { AddressPasswords(in: [self]).removed(from: self) }
}

/// The reason that a string is not an address of a journal.
package enum DatabaseAddressError: Error, CustomStringConvertible {
  case name, server

  /// The expected form.
  package var description: String {
    switch self {
    case .name:
      "the journal's name after '#' must have 1 to \(DatabaseAddress.longestName) characters, percent-encoded"
    case .server:
      "in all parts of the address, '/', '?', '#', '@' and '%' must be percent-encoded"
    }
  }
}
