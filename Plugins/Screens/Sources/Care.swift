/// What the screens take care of: everything.
///
/// Tests leave out one thing at a time, to show that it is needed and that its absence is found.
struct Care: Sendable {
  /// A picture is shown only by a view that still shows its path.
  var checksPaths = true
  /// A failed load ends the loading.
  var clearsLoading = true
  /// A table asks for no rows while it waits for some.
  var asksOnce = true
  /// The answer to a change becomes the balance that the next one is checked against.
  var keepsAnswers = true
  /// Each request for a picture is begun.
  var beginsRequests = true
  /// What was asked for by a screen that is closed reaches no other one.
  var endsWithOwner = true
  /// A view that comes after its model is filled as well.
  var fillsInAnyOrder = true
}
