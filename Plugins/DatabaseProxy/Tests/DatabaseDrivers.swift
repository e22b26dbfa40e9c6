import TestKit
import Testing

/// The Python with psycopg, PyMySQL and SQLAlchemy, which `Scripts/prepare --tests` installs.
enum DatabaseDrivers {
  static let absence: Comment =
    "not run: no python3 with psycopg, pymysql and sqlalchemy (Scripts/prepare --tests)"

  static let python = Python.having("psycopg, pymysql, sqlalchemy", in: "database_drivers")

  /// Runs a program, and returns what it prints, also its errors.
  static func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = try ChildProcess(try #require(python), ["-c", program] + arguments)
    let ending = process.ending()
    return ending.output + ending.errors
  }
}
