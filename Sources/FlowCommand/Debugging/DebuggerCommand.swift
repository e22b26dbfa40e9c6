internal import FlowCore

/// A command of the debugger in the terminal.
enum DebuggerCommand: String, CaseIterable {
  case next, step, out, end, back
  case goOn = "continue"
  case reverse
  case breakpoint = "break"
  case delete, list, print, values, origin, `try`, reload, `where`, live, again, help, quit

  /// The line read from the input: a command and the rest of the line.
  struct Line {
    let command: DebuggerCommand
    let argument: String
  }

  /// A line that is no command, with the names near to it.
  struct Unknown: Error {
    let word: String
    let near: [String]
  }

  /// Reads a line: a name, a beginning that only one name has, or a short form.
  static func read(_ line: String) throws(Unknown) -> Line {
    let parts = line.split(separator: " ", maxSplits: 1)
    let word = parts.first.map(String.init) ?? ""
    let argument = parts.count == 2 ? parts[1].drop { $0 == " " } : ""
    let named = allCases.first { $0.rawValue == word || $0.short == word || $0.other == word }
    let begun = allCases.filter { $0.rawValue.hasPrefix(word) }
    guard let command = named ?? (begun.count == 1 ? begun[0] : nil) else {
      throw Unknown(
        word: word, near: Suggestion.nearest(to: word, among: allCases.map(\.rawValue)))
    }
    return Line(command: command, argument: String(argument))
  }

  /// The short form, or nil.
  private var short: String? {
    switch self {
    case .next: "n"
    case .step: "s"
    case .out: "o"
    case .end: "e"
    case .back: "b"
    case .goOn: "c"
    case .reverse: "r"
    case .list: "l"
    case .print: "p"
    case .values: "v"
    case .where: "w"
    case .help: "h"
    case .quit: "q"
    case .breakpoint, .delete, .origin, .try, .reload, .live, .again: nil
    }
  }

  /// A second name, or nil.
  private var other: String? { self == .origin ? "where-from" : nil }

  /// The command with its argument, as in help.
  private var usage: String {
    switch self {
    case .breakpoint: "break [STEP|LINE|FILE:LINE [hit N] [if EXPR]]"
    case .delete: "delete [N]"
    case .print: "print EXPR"
    case .origin: "origin NAME|EXPR"
    case .try: "try EXPR, try KEY: VALUE"
    default: rawValue + (short.map { ", \($0)" } ?? "")
    }
  }

  /// The action in a sentence.
  private var summary: String {
    switch self {
    case .next: "goes to the next step, over the steps inside of this one"
    case .step: "goes to the next step, into a loop or another scenario"
    case .out: "goes out of the innermost loop, block or scenario"
    case .end: "goes to the end of this step, where its answer is 'it'"
    case .back: "goes to the step before (recordings)"
    case .goOn: "goes to the next breakpoint or failed step, or to the end"
    case .reverse: "goes to the last breakpoint or failed step before (recordings)"
    case .breakpoint: "stops at a step, from its Nth hit on with 'hit >= N'; alone: lists them"
    case .delete: "removes a breakpoint, or all"
    case .list: "shows the lines around the step"
    case .print: "evaluates an expression"
    case .values: "shows all values in sight"
    case .origin: "shows the steps and the answer that a value comes from"
    case .try: "checks a condition with the step's answer, or another value of its key"
    case .reload: "reads the edited file again, on the same answers (recordings)"
    case .where: "shows the step and the loops and scenarios around it"
    case .live: "serves the steps before this one, and goes on live, after a question"
    case .again: "runs the step that has ended again (live)"
    case .help: "shows this list"
    case .quit: "ends; a live run is cancelled"
    }
  }

  /// All commands with their sentences, a line each.
  static var listing: String {
    let width = allCases.map(\.usage.count).max() ?? 0
    return allCases.map { command in
      let spaces = String(repeating: " ", count: width - command.usage.count + 2)
      return "\(command.usage)\(spaces)\(command.summary)\n"
    }.joined()
  }

  /// The names in two lines, for the help of the command line.
  static var overview: String {
    let names = allCases.map(\.rawValue)
    return names.prefix(10).joined(separator: " ") + "\n  "
      + names.dropFirst(10).joined(separator: " ")
  }
}
