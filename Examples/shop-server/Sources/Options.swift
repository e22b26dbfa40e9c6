internal import FlowCore

/// The exit code of the process, from `sysexits.h` above 60.
enum Ending: Int32 {
  case done = 0
  case badCommandLine = 64
  /// The rows have another form than they should.
  case badInput = 65
  /// A file to read is missing or unreadable.
  case noInput = 66
  /// The port cannot be had.
  case unavailable = 69
  /// The file of the balance cannot be used.
  case cannotWrite = 73
}

/// The reason that the server does not start.
struct StartError: Error {
  let ending: Ending
  let message: String

  init(_ ending: Ending, _ message: String) {
    self.ending = ending
    self.message = message
  }
}

/// The options of the command line.
struct Options {
  var port: UInt16 = 0
  /// The file of the balance.
  var data = ":memory:"
  /// The balance of a new file.
  var opening = Decimal.zero
  /// The JSON file of the rows, or nil for no rows.
  var rows: String?
  /// The folder of the pictures, or nil for no pictures.
  var images: String?
  /// The password of a login, or nil for requests without a login.
  var password: String?
  /// The number of requests for which a token is good.
  var tokenRequests = 100

  static let usage = """
    usage: shop-server [--port N] [--data FILE] [--opening AMOUNT] [--rows FILE] [--images FOLDER]
                       [--token-requests N]

    Serves a balance, rows and pictures on 127.0.0.1 until SIGTERM or SIGINT.

      --port N          the port; 0, the default, takes a free one
      --data FILE       the SQLite file of the balance; ':memory:' is the default
      --opening AMOUNT  the balance of a new file; 0.00 is the default
      --rows FILE       a JSON file with a list of {title, city, state, image}
      --images FOLDER   the folder of the pictures
      --token-requests N
                        how many requests a token is good for; 100 is the default
      --help            prints this

    With SHOP_PASSWORD in the environment, requests need a token: POST /login gives one.

    """

  /// Reads the arguments, or returns nil if they ask for help.
  init?(_ arguments: [String]) throws(StartError) {
    if arguments.contains("--help") { return nil }
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard Self.names.contains(name) else {
        let kind = name.hasPrefix("-") ? "unknown option" : "unexpected argument"
        throw StartError(.badCommandLine, "\(kind) '\(name)'; see 'shop-server --help'")
      }
      guard let value = rest.popFirst(), !value.isEmpty else {
        throw StartError(.badCommandLine, "'\(name)' needs a value")
      }
      try set(name, to: value)
    }
  }

  private static let names = [
    "--port", "--data", "--opening", "--rows", "--images", "--token-requests",
  ]

  private mutating func set(_ name: String, to value: String) throws(StartError) {
    switch name {
    case "--port":
      guard let number = UInt16(value) else {
        throw StartError(.badCommandLine, "'--port': expected 0 to 65535, got '\(value)'")
      }
      port = number
    case "--opening":
      guard let amount = Decimal(value), amount >= .zero else {
        throw StartError(
          .badCommandLine, "'--opening': expected an amount of zero or more, got '\(value)'")
      }
      opening = amount
    case "--token-requests":
      guard let number = Int(value), number > 0 else {
        throw StartError(.badCommandLine, "'\(name)': expected 1 or more, got '\(value)'")
      }
      tokenRequests = number
    case "--rows": rows = value
    case "--images": images = value
    default: data = value
    }
  }
}
