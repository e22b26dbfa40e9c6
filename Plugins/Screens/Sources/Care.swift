/// The precautions of the screens, all of them by default.
///
/// Tests leave out one at a time, to show that it is needed and that its absence is noticed.
struct Care: Sendable {
  /// A picture is shown only by a view that still shows its path.
  var checksPaths = true
  /// A failed load ends the loading.
  var clearsLoading = true
  /// A table asks for no rows while it waits for some.
  var asksOnce = true
  /// The answer to a change becomes the balance for checking the next change.
  var keepsAnswers = true
  /// Each request for a picture is started.
  var beginsRequests = true
  /// Results requested by a closed screen reach no other screen.
  var endsWithOwner = true
  /// A view loaded after its model is filled as well.
  var fillsInAnyOrder = true
}
