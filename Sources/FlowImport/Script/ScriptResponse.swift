/// The conditions on a whole answer in Postman.
struct ScriptResponse {
  let subject: String

  private static let statuses: [String: Int] = [
    "ok": 200, "accepted": 202, "badRequest": 400, "unauthorized": 401, "forbidden": 403,
    "notFound": 404, "rateLimited": 429,
  ]
  private static let classes: [String: ClosedRange<Int>] = [
    "info": 100...199, "success": 200...299, "redirection": 300...399, "clientError": 400...499,
    "serverError": 500...599, "error": 400...599,
  ]
  /// The reasons of RFC 9110 that scripts compare with.
  private static let reasons: [String: Int] = [
    "ok": 200, "created": 201, "accepted": 202, "no content": 204, "moved permanently": 301,
    "found": 302, "not modified": 304, "bad request": 400, "unauthorized": 401, "forbidden": 403,
    "not found": 404, "method not allowed": 405, "conflict": 409, "unprocessable entity": 422,
    "too many requests": 429, "internal server error": 500, "service unavailable": 503,
  ]

  /// Returns the status of a reason, or nil for an unknown one.
  static func status(_ reason: String) -> Int? { reasons[reason.lowercased()] }

  private func condition(_ code: String, _ opposite: String) -> ScriptValue {
    var value = ScriptValue(code, .bool, .comparison)
    value.opposite = opposite
    return value
  }

  private func status(_ code: String) -> ScriptValue {
    condition("\(subject).status == \(code)", "\(subject).status != \(code)")
  }

  /// Returns the conditions of a word such as `ok`, or nil for an unknown one.
  func conditions(_ name: String) -> [ScriptValue]? {
    if let status = Self.statuses[name] { return [self.status("\(status)")] }
    if let range = Self.classes[name] {
      let (least, most) = (range.lowerBound, range.upperBound)
      return [
        ScriptValue(
          "\(subject).status >= \(least) && \(subject).status <= \(most)", .bool, .and)
      ]
    }
    switch name {
    case "json":
      return [
        ScriptValue(
          "\(subject).json != null || json(\(subject).text) == null", .bool, .or)
      ]
    case "withBody", "body": return [condition("\(subject).size > 0", "\(subject).size == 0")]
    default: return nil
    }
  }

  /// Returns the conditions of a call such as `status(200)`, or nil for an unknown one.
  func conditions(_ name: String, _ values: [ScriptValue]) -> [ScriptValue]? {
    guard let first = values.first else { return conditions(name) }
    switch name {
    case "status":
      if let reason = first.text { return Self.status(reason).map { [status("\($0)")] } }
      return first.kind == .number || first.kind == .any ? [status(first.operand)] : nil
    case "header":
      guard let header = first.text?.lowercased() else { return nil }
      let code = "\(header.celLiteral) in \(subject).headers"
      if values.count == 1 { return [ScriptValue(code, .bool, .comparison)] }
      let value = ScriptValue(.header(header), of: subject)
      guard values[1].kind == .text else { return nil }
      return [condition("\(value.code) == \(values[1].code)", "\(value.code) != \(values[1].code)")]
    case "body":
      guard first.kind == .text else { return nil }
      return [condition("\(subject).text == \(first.code)", "\(subject).text != \(first.code)")]
    case "jsonBody": return body(first, values.dropFirst().first)
    case "responseTime": return nil
    default: return nil
    }
  }

  private func body(_ path: ScriptValue, _ value: ScriptValue?) -> [ScriptValue]? {
    guard let text = path.text else { return nil }
    var keys: [ScriptAnswer.Key] = []
    for part in text.replacing("[", with: ".").replacing("]", with: "").split(separator: ".") {
      keys.append(Int(part).map { .index($0) } ?? .name(String(part)))
    }
    let part = ScriptAnswer.json(keys)
    if let value {
      return [
        condition(
          "\(part.code(subject)) == \(value.operand)", "\(part.code(subject)) != \(value.operand)")
      ]
    }
    let lenient = part.lenientCode(subject)
    return [condition("\(lenient) != null", "\(lenient) == null")]
  }
}
