internal import FlowRedaction
internal import FlowSystem

/// The body of a curl command: data, forms and files.
extension CurlCommand {
  mutating func data(_ name: String, _ value: ImportedText, _ line: Int) {
    if name == "json" { current.isJSON = true }
    if name != "url-query" { current.sendsData = true }
    let takesFiles = name != "data-raw"
    if name == "data-urlencode" || name == "url-query" {
      encoded(value, isQuery: name == "url-query", line)
    } else if takesFiles, ["@-", "@/dev/stdin"].contains(value.literal), let text = takeInput() {
      let keepsLines = name == "data-binary" || name == "json"
      current.data.append(keepsLines ? text : text.mapLiterals { ImportedText($0.withoutBreaks) })
    } else if takesFiles, value.beginning.hasPrefix("@") {
      let file = path(value.dropFirst(1), line)
      if current.dataFile != nil { leaveOut("a second file with data", line) }
      current.dataFile = current.dataFile ?? file
      if file != nil, name != "data-binary", name != "json" {
        scenario.note(line, "unlike curl, line breaks in the file are sent")
      }
    } else {
      current.data.append(value)
    }
  }

  /// Takes `name=text` to be percent-encoded.
  ///
  /// `=text`, `text` and files have no name.
  private mutating func encoded(_ value: ImportedText, isQuery: Bool, _ line: Int) {
    let plain = value.beginning.prefix { $0 != "=" }
    guard !plain.contains("@"), let (name, rest) = value.split(at: ["="]),
      let name = name.literal, !name.isEmpty, name.isShortName
    else {
      return leaveOut("--data-urlencode without a name or from a file", line)
    }
    let text = scenario.value(rest, of: name, in: isQuery ? .parameter : .field, line: line)
    if isQuery {
      current.query.append((name, text))
    } else {
      current.data.append(
        ImportedText(name + "=")
          + text.mapLiterals { ImportedText(PercentEncoding.component.encode($0.utf8)) })
    }
  }

  mutating func part(_ text: ImportedText, isPlain: Bool, _ line: Int) {
    guard let (name, value) = text.split(at: ["="]), let name = name.literal, !name.isEmpty else {
      return leaveOut("a part of a form without a name", line)
    }
    var entries: [ImportedValue.Entry] = [.init(name: "name", value: .text(ImportedText(name)))]
    let parts = isPlain ? [value] : CurlPart.components(of: value)
    if !isPlain, value.beginning.hasPrefix("<") {
      return leaveOut("the part '\(name)', whose text is in a file,", line)
    }
    if !isPlain, value.beginning.hasPrefix("@") {
      guard let file = path(parts[0].dropFirst(1), line) else { return }
      entries.append(.init(name: "file", value: .text(ImportedText(file))))
    } else {
      let text = isPlain ? parts[0] : CurlPart.unquoted(parts[0])
      let content = scenario.value(text, of: name, line: line)
      entries.append(.init(name: "value", value: .text(content)))
    }
    for attribute in parts.dropFirst() { self.attribute(attribute, of: name, &entries, line) }
    current.form.append(.map(entries))
  }

  /// Adds `type=…`, `filename=…` or `headers=…` of a part.
  private mutating func attribute(
    _ attribute: ImportedText, of name: String, _ entries: inout [ImportedValue.Entry],
    _ line: Int
  ) {
    let (key, rest) = attribute.split(at: ["="]) ?? (attribute, ImportedText())
    let value = CurlPart.unquoted(rest)
    switch key.literal?.trimmed.lowercased() {
    case "type": entries.append(.init(name: "type", value: .text(value)))
    case "filename": entries.append(.init(name: "filename", value: .text(value)))
    case "headers" where !rest.beginning.hasPrefix("@"):
      guard let (header, text) = value.split(at: [":"]), let header = header.literal?.trimmed,
        header.isHeaderName
      else { return leaveOut("a header of the part '\(name)'", line) }
      let hidden = scenario.header(header, text.trimmed, line: line)
      entries.add(header: .init(name: header, value: .text(hidden)))
    default: leaveOut("an attribute of the part '\(name)'", line)
    }
  }

  mutating func body(of request: inout ImportedRequest, _ line: Int) {
    if current.isJSON, request.header("accept") == nil {
      request.addHeader("accept", ImportedText("application/json"))
    }
    let hasData = current.sendsData && !current.isGet
    if [hasData, !current.form.isEmpty, current.isUpload].count(where: { $0 }) > 1 {
      scenario.leaveOut("more than one body", of: &request, line: line)
    }
    if current.isGet {
      if !current.data.isEmpty { addQuery(joined, &request, line) }
      if current.dataFile != nil {
        scenario.leaveOut("a query from a file", of: &request, line: line)
      }
    } else if let file = current.dataFile {
      if !current.data.isEmpty {
        scenario.leaveOut("data beside a file", of: &request, line: line)
      }
      request.body = .file(ImportedText(file))
      addType(current.isJSON ? "application/json" : nil, to: &request)
    } else if !current.data.isEmpty {
      let type = request.header("content-type")?.literal
      let media =
        type ?? (current.isJSON ? "application/json" : "application/x-www-form-urlencoded")
      scenario.setBody(joined, type: media, of: &request, line: line)
    } else if !current.form.isEmpty {
      request.body = .multipart(current.form)
    } else if let text = current.uploadText {
      request.body = .text(scenario.text(text, line: line))
      request.absentHeaders.append("content-type")
    } else if let file = current.upload {
      request.body = .file(ImportedText(file))
      request.absentHeaders.append("content-type")
      if request.url.template.hasSuffix("/"), let name = file.split(separator: "/").last {
        request.url.append(String(name))
      }
    }
    let method = current.isHead ? "HEAD" : current.isUpload ? "PUT" : "GET"
    let isPost = hasData || !current.form.isEmpty
    request.method = current.method ?? (isPost ? "POST" : method)
  }

  private var joined: ImportedText {
    var text = ImportedText()
    for (index, part) in current.data.enumerated() {
      if index > 0, !current.isJSON { text.append("&") }
      text.append(part)
    }
    return text
  }

  private mutating func addQuery(
    _ query: ImportedText, _ request: inout ImportedRequest, _ line: Int
  ) {
    let mark = request.url.template.contains("?") ? "&" : "?"
    request.url = scenario.url(request.url + ImportedText(mark) + query, line: line).url
  }

  private func addType(_ type: String?, to request: inout ImportedRequest) {
    if request.header("content-type") == nil {
      request.addHeader("content-type", ImportedText(type ?? "application/x-www-form-urlencoded"))
    }
  }
}

extension String {
  /// The text as curl sends a file with `--data`.
  fileprivate var withoutBreaks: String { replacing("\r", with: "").replacing("\n", with: "") }
}

/// The parts of the value of `--form`.
private enum CurlPart {
  /// Returns the texts between semicolons outside of quotes.
  static func components(of text: ImportedText) -> [ImportedText] {
    var (parts, isQuoted) = ([ImportedText](), false)
    for part in text.components(separatedBy: ";") {
      if isQuoted {
        parts[parts.count - 1].append(";")
        parts[parts.count - 1].append(part)
      } else {
        parts.append(part)
      }
      if part.written.withoutEscapes.count(where: { $0 == "\"" }) % 2 == 1 { isQuoted.toggle() }
    }
    return parts
  }

  /// Returns a text without the quotes around it, in which a backslash precedes a quote or itself.
  static func unquoted(_ text: ImportedText) -> ImportedText {
    let trimmed = text.trimmed
    guard trimmed.written.hasPrefix("\""), trimmed.written.hasSuffix("\"") else { return text }
    return trimmed.mapLiterals { literal in
      let marked = literal.replacing("\\\\", with: "\0").replacing("\\\"", with: "\u{1}")
      return ImportedText(
        marked.replacing("\"", with: "").replacing("\u{1}", with: "\"")
          .replacing("\0", with: "\\"))
    }
  }
}

extension String {
  fileprivate var withoutEscapes: String {
    replacing("\\\\", with: "").replacing("\\\"", with: "")
  }
}

extension [ImportedValue.Entry] {
  /// Adds a header to the part of a form.
  mutating func add(header: ImportedValue.Entry) {
    guard let index = firstIndex(where: { $0.name == "headers" }),
      case .map(let known) = self[index].value
    else { return append(.init(name: "headers", value: .map([header]))) }
    self[index].value = .map(known + [header])
  }
}
