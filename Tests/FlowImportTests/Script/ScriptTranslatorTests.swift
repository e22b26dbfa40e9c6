import Testing

@testable import FlowImport

/// Scripts, by statement.
@Suite struct ScriptTranslatorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The effects as text, with the numbers of their lines.
    let effects: [String]

    init(_ script: String, _ effects: String...) {
      testDescription = script
      self.effects = effects
    }
  }

  @Test(arguments: postman)
  func `a statement of Postman has an effect or is named`(_ sample: Case) {
    #expect(Self.effects(of: sample.testDescription, .postman) == sample.effects)
  }

  @Test(arguments: before)
  func `a script before a request sets variables and checks them`(_ sample: Case) {
    #expect(Self.effects(of: sample.testDescription, .postman, subject: nil) == sample.effects)
  }

  @Test(arguments: bruno) func `a statement of Bruno has an effect or is named`(_ sample: Case) {
    #expect(Self.effects(of: sample.testDescription, .bruno) == sample.effects)
  }

  @Test(arguments: editor)
  func `a statement of an editor has an effect or is named`(_ sample: Case) {
    #expect(Self.effects(of: sample.testDescription, .editor) == sample.effects)
  }

  @Test func `a script of any depth and with any end is read`() {
    let texts = [
      String(repeating: "(", count: 5000), String(repeating: "if (a) {", count: 5000),
      String(repeating: "`${", count: 5000), String(repeating: "a => ", count: 5000),
      String(repeating: "!", count: 5000), "pm.expect(", "'", "`", "/", "/[", "\\", "}", "{", "a?.",
      "function", "for (", "try {", "const {", "new", "async", "return", "a ? b :",
    ]

    let chains = [
      "tests.a = " + String(repeating: "pm.response.code || ", count: 30_000) + "1",
      "tests.a = pm.response.json()" + String(repeating: ".a", count: 30_000),
      "tests.a = pm.response.json()" + String(repeating: "[0]", count: 30_000),
      "tests.a = " + String(repeating: "(1 + 1 + 1 + ", count: 59) + "1"
        + String(repeating: ")", count: 59),
      "let z = 'aaaaaaaaaaaaaaaa'\n" + String(repeating: "z = z + z\n", count: 60)
        + "tests.a = z",
      "let z = 1\n"
        + String(repeating: "if (pm.response.code == 200) z = z\n", count: 60) + "tests.a = z",
      String(repeating: "if (1) ", count: 5000), String(repeating: "if (1) {} else ", count: 5000),
      String(repeating: "[() => {", count: 5000), String(repeating: "x(() => {a.b.c.d(", count: 50),
    ]

    for text in texts + chains {
      let effects = Self.effects(of: text + "\npm.response.to.have.status(200)", .postman)
      #expect(!effects.contains { $0.hasSuffix("status 201") })
    }
  }

  private static func effects(
    of script: String, _ dialect: ScriptDialect, subject: String? = "it"
  ) -> [String] {
    var host = Host()
    return ScriptTranslator.effects(
      of: script, dialect, subject: subject, line: { $0 + 1 }, &host
    ).effects.map { "\($0.line): \(text($0.effect))" }
  }

  private static func text(_ effect: ScriptEffect) -> String {
    switch effect {
    case .set(let name, let value): "\(name) = \(value.code)"
    case .unset(let name): "no \(name)"
    case .status(let status): "status \(status)"
    case .check(let code): code
    case .skipped(let name): "? \(name)"
    }
  }

  /// A file whose variables are inputs, except `known`.
  struct Host: ScriptHost {
    mutating func variable(named name: String, line: Int) -> ImportedText {
      ImportedText(expression: "inputs.\(name)")
    }
    mutating func known(_ name: String, line: Int) -> ImportedText? {
      name == "known" ? ImportedText(expression: "known") : nil
    }
    mutating func templated(_ text: String, line: Int) -> ImportedText {
      text.hasPrefix("{{") ? ImportedText(expression: "steps.uuid.uuid") : ImportedText(text)
    }
    mutating func written(_ text: String, of name: String, line: Int) -> ImportedText {
      name == "password" ? ImportedText(expression: "inputs.password") : ImportedText(text)
    }
    mutating func compared(
      _ value: ImportedValue, with name: String, line: Int
    ) -> ImportedValue {
      guard name == "token", case .text = value else { return value }
      return .text(ImportedText(expression: "inputs.token"))
    }
    mutating func now() -> String { "steps.now.time" }
    mutating func formatted(_ time: String, as format: String) -> String {
      "format(\(time), \(format))"
    }
    mutating func randomNumber(from least: Int, to most: Int) -> String {
      "steps.number_\(least)_\(most).value"
    }
  }

  static let postman: [Case] = [
    // Answers and equalities.
    Case("pm.response.to.have.status(200);", "1: status 200"),
    Case("pm.response.to.have.status('Not Found');", "1: status 404"),
    Case(
      "pm.test('ok', function () {\n  pm.response.to.have.status(201)\n});", "2: status 201"),
    Case(
      "pm.test(\"ok\", () => {\n  pm.expect(pm.response.code).to.equal(204);\n})", "2: status 204"),
    Case("tests[\"ok\"] = responseCode.code === 200;", "1: status 200"),
    Case("tests.ok = responseBody.has", "1: ? tests.ok"),
    Case(
      "tests['a'] = pm.response.json().a == 5 || responseCode.code >= 300",
      "1: it.json.a == 5 || it.status >= 300"),
    Case(
      "pm.expect(pm.response.json().items[1].price).to.be.eql(-1.5)",
      "1: it.json.items[1].price == decimal('-1.5')"),
    Case(
      "pm.expect(pm.response.json().a).to.deep.equal(null);pm.expect(pm.response.text()).to.eq('x')",
      "1: it.json.a == null", "1: it.text == 'x'"),
    Case(
      "pm.expect(pm.response.json().a).to.not.be.null", "1: it.json.?a.orValue('') != null"),
    Case("pm.expect(pm.response.json().a).to.be.undefined", "1: !it.json.?a.hasValue()"),
    Case("tests.a = pm.response.json().a === undefined", "1: !it.json.?a.hasValue()"),
    Case("tests.a = pm.response.json().a == null", "1: it.json.?a.orValue(null) == null"),
    Case("pm.expect(pm.response.json().token).to.eql('t-1')", "1: it.json.token == inputs.token"),
    Case("pm.expect(pm.response.json().a).to.not.eql(2)", "1: it.json.?a.orValue(null) != 2"),
    Case(
      "pm.expect(pm.response.json().a).to.eql(`x${pm.environment.get('b')}`)",
      "1: it.json.a == 'x' + string(inputs.b)"),
    Case(
      "pm.expect(pm.response.headers.get('Content-Type')).to.eql(pm.environment.get('type'))",
      "1: it.headers['content-type'] == string(inputs.type)"),
    // Chai.
    Case(
      "pm.expect(pm.response.json().a.length).to.eql(2)", "1: size(it.json.a) == 2"),
    Case(
      "pm.expect(pm.response.json()).to.be.an('array').that.is.not.empty",
      "1: type(it.json) == list", "1: size(it.json) != 0"),
    Case(
      "pm.expect(pm.response.json().a).to.be.a('number').and.to.be.above(0)",
      "1: type(it.json.a) in [int, double, decimal]", "1: it.json.a > 0"),
    Case(
      "pm.expect(pm.response.json()).to.have.property('user').that.has.property('id', 5)",
      "1: it.json.?user.hasValue()", "1: it.json.user.id == 5"),
    Case(
      "pm.expect(pm.response.json()).to.have.all.keys('a', 'b-c')",
      "1: it.json.?a.hasValue()", "1: it.json[?'b-c'].hasValue()"),
    Case("pm.expect(pm.response.json().a).to.exist", "1: it.json.?a.orValue(null) != null"),
    Case("pm.expect(pm.response.json().a).to.be.true", "1: it.json.?a.orValue(null) == true"),
    Case(
      "pm.expect(pm.response.json().tags).to.include('a')",
      "1: type(it.json.tags) == list ? 'a' in it.json.tags : it.json.tags.contains('a')"),
    Case("pm.expect(pm.response.text()).to.include('a')", "1: it.text.contains('a')"),
    Case("pm.expect(pm.response.code).to.be.oneOf([200, 201])", "1: it.status in [200, 201]"),
    Case(
      "pm.expect(pm.response.json().id).to.match(/^a\\/[0-9]+$/i)",
      "1: it.json.id.matches('(?i)^a/[0-9]+$')"),
    Case("pm.expect(pm.response.json().id).to.match(/(?=a)/)", "1: ? pm.expect"),
    Case(
      "pm.expect(pm.response.responseTime).to.be.below(200, 'slow')",
      "1: it.elapsed < duration('200ms')"),
    Case(
      "pm.expect(pm.response.json().a).to.have.lengthOf.at.least(1)", "1: size(it.json.a) >= 1"),
    Case(
      "pm.expect(pm.response.json().a).to.be.within(1, 3)", "1: it.json.a >= 1", "1: it.json.a <= 3"
    ),
    Case(
      "pm.expect(pm.response.json()).to.have.jsonSchema(schema)", "1: ? pm.expect"),
    Case(
      "pm.expect(() => { json = pm.response.json() }).to.not.throw()\n"
        + "pm.expect(json.a).to.eql(1)",
      "1: it.json != null || json(it.text) == null", "2: it.json.a == 1"),
    Case("pm.expect.fail('no')", "1: false"),
    // Values of different types are compared in a run.
    Case("pm.expect(pm.response.code).to.equal('200')", "1: dyn(it.status) == dyn('200')"),
    Case("tests.a = pm.environment.get('n') === 5", "1: dyn(inputs.n) == 5"),
    Case("tests.a = pm.environment.get('n') == 5", "1: string(inputs.n) == '5'"),
    Case("tests.a = pm.environment.get('n') > 5", "1: decimal(string(inputs.n)) > 5"),
    Case("tests.a = pm.environment.get('n').b === 5", "1: dyn(inputs.n).b == 5"),
    Case("tests.a = [1, 2].includes('a')", "1: dyn('a') in [1, 2]"),
    Case("pm.expect(pm.response.code).to.be.oneOf(['a'])", "1: dyn(it.status) in ['a']"),
    // The whole answer.
    Case("pm.response.to.be.ok", "1: status 200"),
    Case("pm.response.to.be.success", "1: it.status >= 200 && it.status <= 299"),
    Case("pm.response.to.not.be.error", "1: !(it.status >= 400 && it.status <= 599)"),
    Case("pm.response.to.be.json", "1: it.json != null || json(it.text) == null"),
    Case("pm.response.to.have.header('X-A')", "1: 'x-a' in it.headers"),
    Case("pm.response.to.have.header('X-A', 'b')", "1: it.headers['x-a'] == 'b'"),
    Case("pm.response.to.have.jsonBody('a.b[0]', 1)", "1: it.json.a.b[0] == 1"),
    Case("pm.response.to.have.unknown(1)", "1: ? pm.response.to.have.unknown"),
    // Variables.
    Case(
      "const json = pm.response.json();\npm.environment.set('token', json.user.token);",
      "2: token = it.json.user.token"),
    Case(
      "var j = JSON.parse(responseBody)\nlet user = j.users[0]\n"
        + "postman.setGlobalVariable(\"id\", user[\"user-id\"])",
      "3: id = it.json.users[0]['user-id']"),
    Case("pm.collectionVariables\n  .set('a', pm.response.json().a)", "1: a = it.json.a"),
    Case("const { a, b: c } = pm.response.json()\npm.globals.set('x', c)", "2: x = it.json.b"),
    Case("pm.environment.set('a', 'b')", "1: a = 'b'"),
    Case("pm.environment.set('password', 'b')", "1: password = inputs.password"),
    Case("const password = 'b'\npm.environment.set('a', password)", "2: a = inputs.password"),
    Case(
      "pm.environment.set('a', JSON.stringify({user: 'ann', password: 'b'}))",
      "1: a = toJSON({'user': dyn('ann'), 'password': dyn(inputs.password)})"),
    Case("pm.environment.set('a', pm.response.json().a + 1)", "1: a = it.json.a + 1"),
    Case(
      "pm.environment.set('a', pm.response.json().url.replace(/localhost/g, 'x').split('/')[1])",
      "1: a = it.json.url.replace('localhost', 'x').split('/')[1]"),
    Case(
      "const first = pm.response.json().find(x => x.name === 'ann')\n"
        + "pm.environment.set('id', first.id)",
      "2: id = it.json.filter(x, x.name == 'ann')[0].id"),
    Case("pm.environment.unset('a')", "1: no a"),
    Case(
      "pm.environment.set('a', pm.response.json().a)\npm.expect(pm.environment.get('a')).to.eql(1)",
      "1: a = it.json.a", "2: it.json.a == 1"),
    Case("const res = pm.response;\npm.expect(res.code).to.eql(200)", "2: status 200"),
    // Conditions and loops.
    Case(
      "if (pm.response.code === 200) {\n pm.environment.set('token', pm.response.json().t)\n}",
      "2: token = it.status == 200 ? dyn(it.json.t) : null"),
    Case(
      "if (pm.response.code == 200) pm.environment.set('known', pm.response.json().t)\n"
        + "else pm.expect(pm.response.json().error).to.eql('no')",
      "1: known = it.status == 200 ? dyn(it.json.t) : known",
      "2: it.status == 200 || it.json.error == 'no'"),
    Case(
      "const json = pm.response.json()\nif (json.token) { pm.globals.set('t', json.token) }",
      "2: t = !(it.json.?token.orValue(null) in [dyn(null), false, 0, '']) "
        + "? dyn(it.json.token) : null"),
    Case(
      "if (pm.response.code !== 200) { return }\npm.expect(pm.response.json().a).to.eql(1)",
      "2: it.status != 200 || it.json.a == 1"),
    Case(
      "pm.test('x', () => {\n if (pm.response.code !== 200) throw new Error('no')\n})",
      "2: it.status == 200"),
    Case(
      "pm.response.json().items.forEach(item => {\n pm.expect(item.price).to.be.above(0)\n})",
      "2: it.json.items.all(item, item.price > 0)"),
    Case(
      "for (const item of pm.response.json()) {\n pm.expect(item).to.have.property('id')\n"
        + " pm.environment.set('a', item.id)\n}",
      "2: it.json.all(item, item.?id.hasValue())", "3: ? pm.environment.set"),
    Case(
      "let json\ntry { json = pm.response.json() } catch (e) { json = null }\n"
        + "pm.expect(json.a).to.eql(1)",
      "3: it.json.a == 1"),
    Case(
      "function check(code) {\n pm.response.to.have.status(code)\n}\ncheck(202)", "2: status 202"),
    Case("const double = x => x * 2\ntests.a = double(4) === 8", "2: 4 * 2 == 8"),
    // Without an effect.
    Case("// pm.sendRequest()\n/* a\n b */ console.log('x' + 1)\n\n"),
    Case("const moment = require('moment')"),
    // What is not known has no effect, and nothing that may depend on it.
    Case("if (a) {\n pm.response.to.have.status(200);\n}", "1: ? if"),
    Case(
      "if (a)\n pm.response.to.have.status(200);\npm.response.to.have.status(201)", "1: ? if",
      "3: status 201"),
    Case("if (a) b()\nelse\n pm.response.to.have.status(200)", "1: ? if"),
    Case(
      "if (a) { return }\npm.response.to.have.status(200)", "1: ? if",
      "2: ? pm.response.to.have.status"),
    Case("x.forEach(function (y) {\n pm.response.to.have.status(200) })", "1: ? x.forEach"),
    Case("try {\n pm.response.to.have.status(200)\n} catch (e) {}", "1: ? try"),
    Case("setTimeout(() => pm.response.to.have.status(200))", "1: ? setTimeout"),
    Case("a && pm.response.to.have.status(200)", "1: ? a"),
    Case("switch (x) {\n case 1: pm.response.to.have.status(200) }", "1: ? switch"),
    Case(
      "let j = pm.response.json()\nj = other()\npm.environment.set('a', j.b)", "2: ? j",
      "3: ? pm.environment.set"),
    Case(
      "let j = pm.response.json()\nif (a) { j.b = 1 }\npm.environment.set('a', j.b)", "2: ? if",
      "3: ? pm.environment.set"),
    Case("pm.test('x', function (done) { pm.response.to.have.status(200) })", "1: ? pm.test"),
    Case("}\npm.response.to.have.status(200)", "1: ? }", "2: ? pm.response.to.have.status"),
    Case("pm.expect(other).to.eql(1)", "1: ? pm.expect"),
    Case("pm.execution.setNextRequest('a')", "1: ? pm.execution.setNextRequest"),
  ]

  static let before: [Case] = [
    Case("pm.environment.set('page', 1)", "1: page = 1"),
    Case(
      "pm.variables.set('mail', `ann${Date.now()}@example.org`)",
      "1: mail = 'ann' + string(int(steps.now.time) * 1000 + steps.now.time.getMilliseconds())"
        + " + '@example.org'"),
    Case("pm.globals.set('at', new Date().toISOString())", "1: at = string(steps.now.time)"),
    Case(
      "const moment = require('moment')\nconst end = moment().add(2, 'days')\n"
        + "pm.environment.set('end', end.format('YYYY-MM-DD[T]HH:mm'))\n"
        + "pm.environment.set('late', moment().add(1, 'month').format('YYYY'))",
      "3: end = format(steps.now.time + duration('172800s'), %Y-%m-%dT%H:%M)",
      "4: ? pm.environment.set"),
    Case(
      "const n = Math.floor(Math.random() * 90 + 10)\npm.environment.set('n', n)",
      "2: n = steps.number_10_99.value"),
    Case("pm.variables.set('id', pm.variables.replaceIn('{{$guid}}'))", "1: id = steps.uuid.uuid"),
    Case(
      "if (!pm.environment.get('id')) throw new Error('log in first')",
      "1: !(inputs.id in [dyn(null), false, 0, ''])"),
    Case("pm.sendRequest('https://example.org', () => {})", "1: ? pm.sendRequest"),
    Case("pm.environment.set('a', pm.response.json().a)", "1: ? pm.environment.set"),
  ]

  static let bruno: [Case] = [
    Case(
      "test('ok', function () {\n expect(res.getStatus()).to.equal(200)\n"
        + " expect(res.body.name).to.be.a('string')\n})",
      "2: status 200", "3: type(it.json.name) == string"),
    Case("bru.setVar('token', res.body.token)", "1: token = it.json.token"),
    Case("expect(res.body).to.equal('pong')", "1: it.text == 'pong'"),
    Case("expect(res.getHeader('x-a')).to.equal('b')", "1: it.headers['x-a'] == 'b'"),
    Case("expect(res.statusText).to.equal('Created')", "1: status 201"),
    Case("expect(res.headers).to.have.property('ETag')", "1: 'etag' in it.headers"),
    Case("req.setHeader('a', 'b')", "1: ? req.setHeader"),
  ]

  static let editor: [Case] = [
    Case(
      "client.test('ok', function() {\n client.assert(response.status === 200, 'no')\n});",
      "2: status 200"),
    Case(
      "client.global.set('token', response.body[\"data\"].token)", "1: token = it.json.data.token"),
    Case(
      "client.assert(response.contentType.mimeType === 'application/json')",
      "1: it.headers['content-type'].split(';')[0] == 'application/json'"),
    Case(
      "client.assert(response.headers.valueOf('X-A') === 'b')", "1: it.headers['x-a'] == 'b'"),
    Case("client.log(response.body)"),
    Case("client.exit()", "1: ? client.exit"),
  ]
}
