import Testing

@testable import FlowImport

/// Scripts of Postman, by statement.
@Suite struct PostmanScriptTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The statements as text, with the numbers of their lines.
    let statements: [String]

    init(_ script: String, _ statements: String...) {
      testDescription = script
      self.statements = statements
    }
  }

  @Test(arguments: known + conditional + unknown)
  func `three forms are known where they run unconditionally`(_ sample: Case) {
    let script = PostmanScript(sample.testDescription)

    #expect(
      script.statements.map { "\($0.line + 1): \(Self.text($0.statement))" } == sample.statements)
  }

  private static func text(_ statement: PostmanScript.Statement) -> String {
    switch statement {
    case .set(let name, let answer): "\(name) = \(answer.code("it"))"
    case .equal(let answer, let operand): "\(answer.code("it")) == \(operand)"
    case .other(let name): "? \(name)"
    }
  }

  static let known: [Case] = [
    Case("pm.response.to.have.status(200);", "1: it.status == number(\"200\")"),
    Case(
      "pm.test('ok', function () {\n  pm.response.to.have.status(201)\n});",
      "2: it.status == number(\"201\")"),
    Case(
      "pm.test(\"ok\", () => {\n  pm.expect(pm.response.code).to.equal(204);\n})",
      "2: it.status == number(\"204\")"),
    Case("tests[\"ok\"] = responseCode.code === 200;", "1: it.status == number(\"200\")"),
    Case(
      "const json = pm.response.json();\npm.environment.set('token', json.user.token);",
      "2: token = it.json.user.token"),
    Case(
      "var j = JSON.parse(responseBody)\nlet user = j.users[0]\n"
        + "postman.setGlobalVariable(\"id\", user[\"user-id\"])",
      "3: id = it.json.users[0]['user-id']"),
    Case(
      "pm.collectionVariables\n  .set('a', pm.response.json().a)", "1: a = it.json.a"),
    Case(
      "pm.expect(pm.response.json().items[1].price).to.be.eql(-1.5)",
      "1: it.json.items[1].price == number(\"-1.5\")"),
    Case(
      "pm.expect(pm.response.json().a).to.deep.equal(null);pm.expect(pm.response.text()).to.eq('x')",
      "1: it.json.a == null", "1: it.text == text(\"x\")"),
    Case(
      "pm.expect(pm.response.headers.get('Content-Type')).to.eql(pm.environment.get('type'))",
      "1: it.headers['content-type'] == variable(\"type\")"),
    Case("// pm.sendRequest()\n/* a\n b */ console.log('x' + 1)\n\n"),
  ]

  static let conditional: [Case] = [
    Case("if (a) {\n pm.response.to.have.status(200);\n}", "1: ? if"),
    Case(
      "if (a)\n pm.response.to.have.status(200);\npm.response.to.have.status(201)",
      "1: ? if", "3: it.status == number(\"201\")"),
    Case("if (a) b()\nelse\n pm.response.to.have.status(200)", "1: ? if"),
    Case(
      "if (a) { return }\npm.response.to.have.status(200)", "1: ? if",
      "2: ? pm.response.to.have.status"),
    Case("x.forEach(function (y) {\n pm.response.to.have.status(200) })", "1: ? x.forEach"),
    Case("function f() {\n pm.response.to.have.status(200)\n}", "1: ? function"),
    Case("const f = () => {\n pm.response.to.have.status(200)\n}", "1: ? const f"),
    Case("try {\n pm.response.to.have.status(200)\n} catch (e) {}", "1: ? try"),
    Case("setTimeout(() => pm.response.to.have.status(200))", "1: ? setTimeout"),
    Case("a && pm.response.to.have.status(200)", "1: ? a"),
    Case("if (x.match(/}/)) {\n pm.response.to.have.status(200) }", "1: ? if"),
    Case("if (x == '}') {\n pm.response.to.have.status(200) }", "1: ? if"),
  ]

  static let unknown: [Case] = [
    Case("pm.expect(pm.response.json().a).to.exist", "1: ? pm.expect"),
    Case("pm.expect(pm.response.json().a.length).to.eql(2)", "1: ? pm.expect"),
    Case("pm.expect(pm.response.json().a.trim()).to.eql('x')", "1: ? pm.expect"),
    Case("pm.expect(pm.response.json().a).to.not.eql(2)", "1: ? pm.expect"),
    Case("pm.expect(pm.response.json().a).to.eql(`x${y}`)", "1: ? pm.expect"),
    Case("pm.response.to.have.status('OK')", "1: ? pm.response.to.have.status"),
    Case("pm.environment.set('a', 'b')", "1: ? pm.environment.set"),
    Case("pm.environment.set('a', pm.response.json().a + 1)", "1: ? pm.environment.set"),
    Case("tests['a'] = pm.response.json().a == 5", "1: ? tests"),
    Case(
      "let j = pm.response.json()\nj = other()\npm.environment.set('a', j.b)", "2: ? j",
      "3: ? pm.environment.set"),
    Case(
      "let j = pm.response.json()\nif (a) { j.b = 1 }\npm.environment.set('a', j.b)", "2: ? if",
      "3: ? pm.environment.set"),
    Case("pm.test('x', function (done) { pm.response.to.have.status(200) })", "1: ? pm.test"),
    Case("}\npm.response.to.have.status(200)", "1: ? }", "2: ? pm.response.to.have.status"),
  ]
}
