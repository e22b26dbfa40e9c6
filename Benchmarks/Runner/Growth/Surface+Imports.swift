extension Surface {
  /// Files of other tools.
  static let imports = [
    file("curl: commands", "c.sh") { n in
      each(min(n, 10_000)) { "curl -X POST http://localhost/p\($0) -H 'A: b' -d 'x=\($0)'\n" }
    },
    file("curl: headers", "c.sh") { n in
      "curl http://localhost/p" + each(n) { " -H 'X-A\($0): b'" } + "\n"
    },
    file("curl: a body", "c.sh") { n in
      "curl http://localhost/p -d '" + each(n) { "a\"é\($0)" } + "'\n"
    },
    file("curl: variables", "c.sh") { n in
      each(n) { "A\($0)=x\($0)\n" } + "curl http://localhost/p -d \"$A1\"\n"
    },
    file("curl: a form", "c.sh") { n in
      "curl http://localhost/p" + each(n) { " -F 'a\($0)=b'" } + "\n"
    },
    file("curl: secrets in JSON", "c.sh") { n in
      "curl http://localhost/p --json '{"
        + each(n, separator: ",") { "\"k\($0)\": {\"password\": \"secret\($0)\"}" } + "}'\n"
    },
    file("har: requests", "h.har") { n in
      "{\"log\": {\"version\": \"1.2\", \"entries\": ["
        + each(min(n, 10_000), separator: ",", request) + "]}}"
    },
    file("hurl: requests", "h.hurl") { n in
      each(min(n, 10_000)) { i in
        """
        GET http://localhost/a\(i)
        HTTP 200
        [Captures]
        v\(i): jsonpath "$.a"
        [Asserts]
        jsonpath "$.b" == "{{v\(i)}}"
        body matches /a+/


        """
      }
    },
    file("hurl: conditions", "h.hurl") { n in
      "GET http://localhost/a\nHTTP 200\n[Asserts]\n"
        + each(n) { "jsonpath \"$.b\($0)\" == \($0)\n" }
    },
    file("hurl: a body", "h.hurl") { n in
      "POST http://localhost/a\n```\n" + each(n) { "text é \($0)\n" } + "```\nHTTP 200\n"
    },
    file("hurl: an XML body", "h.hurl") { n in
      "POST http://localhost/a\n<a>" + each(n) { "<b c=\"d\">\($0)</b>" } + "</a>\nHTTP 200\n"
    },
  ]

  private static func file(
    _ name: String, _ file: String, _ text: @escaping @Sendable (Int) -> String
  ) -> Surface {
    Surface(name, from: 100) { n, folder in
      try folder.write(text(n), to: file)
      return ["import", file]
    }
  }

  private static func request(_ number: Int) -> String {
    """
    {"request": {"method": "GET", "url": "http://localhost/a\(number)?q=\(number)",
     "headers": [{"name": "Accept", "value": "text/plain"}]},
     "response": {"status": 200, "headers": [],
     "content": {"mimeType": "application/json", "text": "{\\"id\\": \(number)}"}}}
    """
  }
}
