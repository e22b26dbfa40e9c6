import FlowCore
import Subprocess

/// A program with everything needed to start it.
struct ServerProgram: Sendable {
  /// The program and its arguments, never empty.
  let arguments: [String]
  let environment: [[UInt8]]
  let folder: Directory

  /// Creates the program of a declaration, with the variables of both.
  ///
  /// - Throws: `MCPError` or `SecretError`.
  init(
    _ arguments: [String], _ declared: DeclaredPlugin<MCPDeclaration>, _ settings: MCPSettings,
    _ context: Context
  ) throws {
    self.arguments = arguments
    folder = declared.folder
    var variables = declared.declaration.env.merging(settings.env) { $1 }
    for (variable, secret) in declared.declaration.secrets {
      variables[variable] = try context.secrets.value(secret)
    }
    do throws(EnvironmentError) {
      environment = try Environment.inherited.without(context.secrets.variables)
        .adding(variables)
    } catch {
      throw MCPError.invalid("\(error)")
    }
  }

  /// Starts the program.
  ///
  /// - Throws: `MCPError.notStarted`.
  func start() throws(MCPError) -> Subprocess {
    do throws(StartError) {
      return try Subprocess(
        arguments[0], arguments: arguments, environment: environment,
        in: .init(path: folder.path), hasInput: true)
    } catch {
      let name = ServerText.line(arguments[0])
      throw .notStarted(
        error.isMissing
          ? "there is no program '\(name)'" : "cannot start '\(name)': \(error.reason)")
    }
  }
}
