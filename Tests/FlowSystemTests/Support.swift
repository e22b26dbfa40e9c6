/// The result's text, or the error's: so that one table holds both.
func text<Result>(_ body: () throws -> Result) -> String {
  do { return "\(try body())" } catch { return "\(error)" }
}
