/// The names that a tool's scripts have for the answer, for variables and for tests.
///
/// A name of a member is written with its object, such as `pm.response.code`, and that of a call
/// without arguments with brackets behind it.
struct ScriptDialect: Sendable {
  /// A part of the answer that has a name of its own.
  enum Reading: Sendable {
    case json
    case status
    case text
    case elapsed
    case size
    case mediaType
    case headers
    /// The words behind the status, which HTTP/2 does not have: compared as the status.
    case reason
  }

  let readings: [String: Reading]
  /// The functions that return a header by its name.
  let headers: Set<String>
  /// The functions that return a variable by its name, and the objects with variables as members.
  let getters: Set<String>
  let scopes: Set<String>
  let setters: Set<String>
  let removers: Set<String>
  /// The functions that replace the templates in a text.
  let templates: Set<String>
  /// The functions of a name and of a function with conditions.
  let tests: Set<String>
  /// The functions of a value, followed by a condition such as `to.equal(1)`.
  let expectations: Set<String>
  /// The functions of a condition.
  let assertions: Set<String>
  /// The functions without an effect on requests and results.
  let logs: Set<String>

  static let postman = ScriptDialect(
    readings: [
      "pm.response.json()": .json, "JSON.parse(responseBody)": .json,
      "JSON.parse(pm.response.text())": .json, "JSON.parse(pm.response.stream)": .json,
      "pm.response.code": .status, "responseCode.code": .status,
      "pm.response.text()": .text, "responseBody": .text,
      "pm.response.responseTime": .elapsed, "responseTime": .elapsed,
      "pm.response.responseSize": .size, "pm.response.size().body": .size,
      "responseHeaders": .headers, "pm.response.headers": .headers,
      "pm.response.status": .reason, "responseCode.name": .reason,
    ],
    headers: ["pm.response.headers.get", "postman.getResponseHeader"],
    getters: [
      "pm.environment.get", "pm.collectionVariables.get", "pm.globals.get", "pm.variables.get",
      "pm.iterationData.get", "postman.getEnvironmentVariable", "postman.getGlobalVariable",
    ],
    scopes: ["environment", "globals", "data"],
    setters: [
      "pm.environment.set", "pm.collectionVariables.set", "pm.globals.set", "pm.variables.set",
      "postman.setEnvironmentVariable", "postman.setGlobalVariable",
    ],
    removers: [
      "pm.environment.unset", "pm.collectionVariables.unset", "pm.globals.unset",
      "pm.variables.unset", "postman.clearEnvironmentVariable", "postman.clearGlobalVariable",
    ],
    templates: [
      "pm.variables.replaceIn", "pm.environment.replaceIn", "pm.collectionVariables.replaceIn",
      "pm.globals.replaceIn",
    ],
    tests: ["pm.test"], expectations: ["pm.expect"], assertions: [],
    logs: ["console.log", "console.info", "console.warn", "console.error", "console.debug"])

  static let bruno = ScriptDialect(
    readings: [
      "res.body": .json, "res.getBody()": .json, "res.status": .status, "res.getStatus()": .status,
      "res.statusCode": .status, "res.responseTime": .elapsed, "res.getResponseTime()": .elapsed,
      "res.headers": .headers, "res.getHeaders()": .headers, "res.getSize().body": .size,
      "res.statusText": .reason, "res.getStatusText()": .reason,
    ],
    headers: ["res.getHeader"],
    getters: [
      "bru.getVar", "bru.getEnvVar", "bru.getGlobalEnvVar", "bru.getCollectionVar",
      "bru.getFolderVar", "bru.getRequestVar", "bru.getProcessEnv",
    ],
    scopes: ["process.env"],
    setters: ["bru.setVar", "bru.setEnvVar", "bru.setGlobalEnvVar", "bru.setCollectionVar"],
    removers: [
      "bru.deleteVar", "bru.deleteEnvVar", "bru.deleteGlobalEnvVar", "bru.deleteCollectionVar",
    ],
    templates: ["bru.interpolate"],
    tests: ["test", "it", "describe"], expectations: ["expect", "chai.expect"],
    assertions: ["assert"],
    logs: ["console.log", "console.info", "console.warn", "console.error", "console.debug"])

  /// The scripts of JetBrains' editors.
  static let editor = ScriptDialect(
    readings: [
      "response.body": .json, "response.parsedBody": .json, "response.status": .status,
      "response.statusCode": .status, "response.contentType.mimeType": .mediaType,
      "response.headers": .headers,
    ],
    headers: ["response.headers.valueOf"],
    getters: [
      "client.global.get", "request.variables.get", "request.environment.get",
      "client.variables.global.get", "client.variables.environment.get",
    ],
    scopes: [],
    setters: ["client.global.set", "request.variables.set", "client.variables.global.set"],
    removers: ["client.global.clear", "client.variables.global.clear"],
    templates: [],
    tests: ["client.test", "test"], expectations: ["expect", "chai.expect"],
    assertions: ["client.assert", "assert"],
    logs: ["console.log", "console.info", "console.warn", "console.error", "client.log"])
}
