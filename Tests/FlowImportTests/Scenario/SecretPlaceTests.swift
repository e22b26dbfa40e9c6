import FlowImport
import Testing

/// Places of secrets in files, each tried with names of many kinds.
@Suite struct SecretPlaceTests {
  private static let secret = "Rt5vGreyShrike31Falcon"

  /// `NAME` is the name of a secret, `VALUE` its value.
  private static let places = [
    #"curl http://h/x --json '{"NAME": "VALUE"}'"#,
    #"curl http://h/x --json '{"a": {"NAME": {"x": [{"y": "VALUE"}, 1]}}}'"#,
    #"curl http://h/x --json '[{"key": "NAME", "value": "VALUE"}]'"#,
    #"curl http://h/x --json '[{"value": "VALUE", "header": "NAME"}]'"#,
    #"curl http://h/x --json '[["NAME", "VALUE"]]'"#,
    #"curl http://h/x --json '{"q": "{\"NAME\": \"VALUE\"}"}'"#,
    #"curl http://h/x -d '{"NAME" : {"x": ["VALUE"], "type": "a"}, "b": 2'"#,
    #"curl http://h/x -d '[{"name": "NAME", "value": "VALUE"}'"#,
    #"curl http://h/x -d '[{"val": "VALUE", "id": "NAME"}'"#,
    #"curl http://h/x -d '{"q": "{\"NAME\": {\"v\": \"VALUE\"}}"'"#,
    "curl http://h/x -d 'a=1&NAME=VALUE&b=2'", "curl http://h/x -d 'user[NAME]=VALUE'",
    "curl http://h/x -d 'user%5BNAME%5D=VALUE,'", "curl http://h/x --data-urlencode 'NAME=VALUE'",
    "curl 'http://h/x?a=1&NAME=VALUE#b'", "curl 'http://h/x?to=http%3A%2F%2Fi%2F%3FNAME%3DVALUE'",
    "curl 'http://h/x;NAME=VALUE/y?b=1'", "curl http://h/x -H 'NAME: VALUE'",
    "curl http://h/x -H 'Referer: http://h/x?NAME=VALUE'", "curl http://h/x -F 'NAME=VALUE'",
    #"curl http://h/x -F 'meta={"NAME": "VALUE"};type=application/json'"#,
    "curl http://h/x -d '<a><n:NAME id=\"1\">VALUE</n:NAME></a>'",
    "curl http://h/x -d '<NAME><type>a</type><v>VALUE</v></NAME>'",
    "curl http://h/x -d '<NAME><![CDATA[VALUE]]></NAME>'",
    "curl http://h/x -d '<u NAME = \"VALUE\" />'",
    "curl http://h/x -d '<add value=\"VALUE\" key=\"NAME\"/>'",
    "curl http://h/x -d '<string name=\"NAME\">VALUE</string>'",
    "curl http://h/x -d @- <<E\n{\"NAME\": \"VALUE\"}\nE\n",
    "curl http://h/x --data-binary @- <<'E'\nNAME: VALUE\nE\n",
    "curl http://h/x --json @- <<< '{\"NAME\": \"VALUE\"}'",
    "curl http://h/x -H 'Content-Type: text/yaml' -d 'NAME: VALUE'",
    #"curl http://h/x --json '{"query": "mutation { login(NAME: \"VALUE\") }"}'"#,
  ]

  private static let names = [
    "password", "userPassword", "X-API-Key", "accessToken", "client_secret", "JSESSIONID",
    "Ocp-Apim-Subscription-Key", "x-functions-key", "privateKey", "csrfToken", "DB_PASSWORD_PROD",
    "AWSSecretAccessKey", "otp_code", "PIN", "auth", "X-Hub-Signature-256", "licenseKey",
  ]

  @Test(arguments: places) func `a value of a secret name is written nowhere`(
    _ place: String
  ) throws {
    for name in Self.names {
      let text = place.replacing("NAME", with: name).replacing("VALUE", with: Self.secret)
      let result = try Import(reading: Array(text.utf8), named: "a.sh")

      let written = result.scenario + result.notes.map(\.message).joined()
      #expect(!written.contains(Self.secret.prefix(12)), "\(written)")
      #expect(result.scenario.contains("${{ inputs."), "\(written)")
    }
  }

  @Test(arguments: [
    "curl 'http://h/x?key=VALUE'", "curl 'http://h/x?sig=VALUE&se=1'", "curl http://VALUE@h/x",
    "curl http://ann:VALUE@h/x", "curl -u VALUE: http://h", "curl -u :VALUE http://h",
    "curl http://h/token/VALUE", "curl http://h/reset-password/VALUE/x",
    "curl -b sid=VALUE http://h",
    "curl -H 'Authorization: VALUE' http://h", "curl --oauth2-bearer VALUE http://h",
    #"curl --json '{"u": "https://h/token/VALUE"}' http://h"#,
    "curl -T - http://h/x <<< 'pwd=VALUE'",
    #"curl --json '{"key": "VALUE"}' http://h"#, "curl -x http://u:VALUE@i http://h",
    #"curl -d '<input type="password" value="VALUE">' http://h"#,
    "curl -H 'key: VALUE' http://h", "curl --proxy-user u:VALUE http://h",
  ]) func `a place itself may say that its value is a secret`(_ place: String) throws {
    let text = place.replacing("VALUE", with: Self.secret)
    let result = try Import(reading: Array(text.utf8), named: "a.sh")

    let written = result.scenario + result.notes.map(\.message).joined()
    #expect(!written.contains(Self.secret.prefix(12)), "\(written)")
  }

  private static let plain = [
    ("session_domain", "localhost"), ("token_type", "Bearer"), ("tokenLifetime", "long-lived"),
    ("password_reset_link", "https://example.org/reset"), ("total_tokens", "25600"),
    ("secret_garden", "Frances Burnett"), ("password", "true"), ("has_token", "false"),
    ("session_timeout", "3600"), ("secretary", "Ann Miller"), ("tokenizer", "standard"),
    ("authorName", "Ann Miller"), ("passport", "DE-12345"), ("sort_key", "created"),
    ("page_token", "CAEQAA4f81b2c7"), ("nextToken", "eyJvIjoxMDB9"), ("nextpagetoken", "b77c1f29"),
    ("public_key_type", "rsa-4096"), ("grant_type", "password"), ("token", "<your-token>"),
    ("api_key", "{{api_key}}"), ("monkey", "banana12"), ("cookie_consent", "given"),
    ("token_endpoint_auth_method", "client_secret_basic"), ("password_policy", "strict"),
  ]

  @Test(arguments: plain) func `a value that is no secret stays`(
    _ name: String, _ value: String
  ) throws {
    let places = [
      #"curl http://h/x --json '{"NAME": "VALUE"}'"#, "curl 'http://h/x?NAME=VALUE'",
      #"curl http://h/x -d '{"NAME": "VALUE"'"#, "curl http://h/x -F 'NAME=VALUE'",
      "curl http://h/x -H 'NAME: VALUE'", "curl http://h/x -d '<NAME>VALUE</NAME>'",
      "curl http://h/x -d '<a NAME=\"VALUE\"/>'",
    ]
    for place in places {
      let text = place.replacing("NAME", with: name).replacing("VALUE", with: value)
      let result = try Import(reading: Array(text.utf8), named: "a.sh")

      #expect(!result.scenario.contains("secret: true"), "\(result.scenario)")
    }
  }

  @Test(arguments: [
    #"curl http://h/x --json '{"token": null, "session": true, "cookie": 4711, "secret": {}}'"#,
    #"curl http://h/x --json '{"query": "mutation($password: String!) { in(password: $password) }"}'"#,
    "curl http://auth:8080/x", "curl http://h/auth/login2", "curl http://h/oauth/token/introspect",
    "curl http://h/token/v2beta1/x", #"curl http://h/x -d '{"at": "http://token:8080/a",'"#,
  ]) func `what only looks like a secret stays`(_ text: String) throws {
    let result = try Import(reading: Array(text.utf8), named: "a.sh")

    #expect(!result.scenario.contains("inputs"), "\(result.scenario)")
  }

  @Test func `a short secret is hidden wherever it stands, as a run hides it`() throws {
    let text = "GET http://h/of/shrike\n[Cookies]\nbird: shrike\nHTTP 200\n"
    let result = try Import(reading: Array(text.utf8), named: "a.hurl")

    #expect(result.scenario.contains(#"path: "of/${{ inputs.cookie_bird }}""#))
    #expect(!result.scenario.contains("shrike"))
  }

  @Test(arguments: [
    "{\"password\":{", "<password><token>", "password=[[", "<a b=\"", "name:\"token\"{",
    "\\\"password\\\":\\\"", "http://u:p@", "token ", "{{password", "<password>",
  ]) func `the time grows with the length of a text alone`(_ unit: String) throws {
    func time(_ count: Int) throws -> Duration {
      let text = "curl http://h -d '\(String(repeating: unit, count: count))'"
      let clock = ContinuousClock()
      return try clock.measure { _ = try Import(reading: Array(text.utf8), named: "a.sh") }
    }

    // Quadratic time would take minutes.
    #expect(try time(5_000) < .seconds(60))
  }
}
