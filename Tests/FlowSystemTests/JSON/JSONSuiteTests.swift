import FlowSystem
import Foundation
import TestKit
import Testing

// Skipped, and said so, where the cases are not here.
@Suite(.enabled(if: OfficialCases.json.isHere, "\(OfficialCases.json.absence)"))
struct JSONSuiteTests {
  @Test(arguments: JSONCase.all)
  func `a file of JSONTestSuite is read or refused as the suite demands`(_ file: JSONCase) {
    var error: JSONError?
    do throws(JSONError) {
      _ = try JSONParser.parse(file.bytes[...])
    } catch let problem {
      error = problem
    }

    if let refusal = JSONCase.refusals[file.name] {
      #expect(error?.description == refusal)
    } else if file.demand != .either {
      #expect((error == nil) == (file.demand == .accept), "\(error?.description ?? "no error")")
    }
  }

  @Test func `the files are all there, and the free ones are read or refused as ever`() {
    let free = JSONCase.all.filter { $0.demand == .either }
    let read = free.filter { (try? JSONParser.parse($0.bytes[...])) != nil }

    #expect(JSONCase.all.count == OfficialCases.json.count)
    #expect(read.map(\.name) == JSONCase.freelyRead)
  }
}

/// A file of JSONTestSuite.
struct JSONCase: Decodable, Sendable, CustomTestStringConvertible {
  /// The result that the suite demands.
  enum Demand: String, Decodable, Sendable {
    case accept
    case refuse
    case either
  }

  let name: String
  let demand: Demand
  let base64: String

  enum CodingKeys: String, CodingKey {
    case name
    case demand = "expect"
    case base64
  }

  var testDescription: String { name }
  var bytes: [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }

  /// All cases; empty when they are not here.
  static let all: [JSONCase] = {
    guard let bytes = OfficialCases.json.bytes else { return [] }
    do {
      return try JSONDecoder().decode([JSONCase].self, from: Data(bytes))
    } catch {
      preconditionFailure("the cases of JSONTestSuite cannot be read: \(error)")
    }
  }()

  /// Files that the suite accepts and flow refuses on purpose, because a name occurs twice.
  static let refusals = [
    "y_object_duplicated_key.json": "byte 18: the name 'a' appears twice",
    "y_object_duplicated_key_and_value.json": "byte 18: the name 'a' appears twice",
  ]

  /// Files that the suite leaves free and flow reads, with numbers of any size.
  static let freelyRead = [
    "i_number_double_huge_neg_exp.json",
    "i_number_huge_exp.json",
    "i_number_neg_int_huge_exp.json",
    "i_number_pos_double_huge_exp.json",
    "i_number_real_neg_overflow.json",
    "i_number_real_pos_overflow.json",
    "i_number_real_underflow.json",
    "i_number_too_big_neg_int.json",
    "i_number_too_big_pos_int.json",
    "i_number_very_big_negative_int.json",
  ]
}
