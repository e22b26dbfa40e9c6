internal import FlowCore
internal import FlowOpenAPI
internal import FlowSchema

/// The input of `call`: an operation of the description by its name.
struct CallInput: Sendable {
  var operation: String
  var parameters: NamedValues
  var request: RequestInput

  static let record = Record(
    {
      operation, parameters, headers, json, form, body, file, multipart, bytes, auth, follow, to,
      idempotency in
      CallInput(
        operation: operation, parameters: parameters,
        request: RequestInput(
          headers: headers,
          body: BodyInput(
            json: json, form: form, text: body, file: file, multipart: multipart, bytes: bytes),
          authentication: auth, follows: follow, to: to, idempotency: idempotency))
    },
    Field("operation", \.operation, "The 'operationId' in the description."),
    Field(
      "parameters", \.parameters,
      "The parameters of path, query, headers and cookies by their names.", default: NamedValues()),
    Field(
      "headers", \.request.headers,
      "Headers for this request. They replace the component's headers of the same name.",
      default: NamedValues()),
    Field("json", \.request.body.json, "The body as JSON."),
    Field(
      "form", \.request.body.form,
      "The body as form fields. A list becomes one field for each element."
    ),
    Field("body", \.request.body.text, "The body as text."),
    Field("file", \.request.body.file, "The body from a file in the scenario's folder."),
    Field("multipart", \.request.body.multipart, "The body as the parts of a form with files."),
    Field("bytes", \.request.body.bytes, "The body as bytes."),
    Field(
      "auth", \.request.authentication,
      "The authentication of this request, in place of the component's. Empty for none."),
    Field(
      "follow", \.request.follows, "Follows redirects, or not, in place of the component's setting."
    ),
    Field("to", \.request.to, "A file in the scenario's folder for the response body."),
    Field(
      "idempotency", \.request.idempotency,
      "Sends the header Idempotency-Key. A repeated call sends the same key.", default: false))

  /// Returns the request that calls the operation.
  ///
  /// - Throws: `ComponentError` without a description, or for an unknown operation.
  func request(by contract: (any CallContract)?) throws(ComponentError) -> RequestInput {
    guard let contract = contract as? HTTPContract else {
      throw ComponentError(
        .invalid, "'call' needs the setting 'contract' with the description of its operations")
    }
    guard let operation = contract.description.operation(named: self.operation) else {
      throw ComponentError(.invalid, contract.description.reason(againstName: self.operation))
    }
    let placed = PlacedParameters(
      KnownFields(
        values: [:], entries: ["parameters": parameters.entries],
        names: ["parameters": parameters.names]), operation)
    if let problem = placed.problems.first {
      throw ComponentError(.invalid, "the parameter '\(problem.name)': \(problem.message)")
    }
    var input = request
    input.method = operation.method
    input.path = contract.path(to: operation, placed.pathAndQuery)
    for header in placed.headers {
      input.headers = input.headers.with(header: header.name, header.value)
    }
    return input
  }
}
