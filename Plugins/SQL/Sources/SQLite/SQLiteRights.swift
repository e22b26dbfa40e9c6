private import CSQLite

/// The functions, modules and pragmas allowed in statements.
///
/// These are allow-lists: a build of SQLite may add functions that reach memory or files, such as
/// `fts3_tokenizer`, which takes an address, or `readfile`.
enum SQLiteRights {
  /// Returns the reason for refusing an action of a statement, or nil if it is allowed.
  static func refusal(of action: Int32, _ first: String?, _ second: String?) -> String? {
    switch action {
    case SQLITE_FUNCTION: refusal(of: "function", second, unlessIn: functions)
    case SQLITE_CREATE_VTABLE: refusal(of: "module", second, unlessIn: modules)
    case SQLITE_PRAGMA: refusal(of: "pragma", first, unlessIn: pragmas)
    // VACUUM attaches a database without a name. VACUUM INTO attaches the target file by name.
    case SQLITE_ATTACH:
      first == "" || first == ":memory:" ? nil : "ATTACH and VACUUM INTO are not allowed"
    default: nil
    }
  }

  private static func refusal(
    of kind: String, _ name: String?, unlessIn names: Set<String>
  ) -> String? {
    let name = name?.lowercased() ?? ""
    return names.contains(name) ? nil : "the \(kind) '\(name)' is not allowed"
  }

  private static func names(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  // https://www.sqlite.org/vtablist.html. Any other module of a build is dropped from the
  // connection.
  static let modules = names(
    """
    json_each json_tree jsonb_each jsonb_tree generate_series
    fts3 fts4 fts4aux fts5 fts5vocab rtree rtree_i32 geopoly
    """)

  // https://www.sqlite.org/lang_corefunc.html and the pages next to it.
  private static let functions = names(
    """
    abs changes char coalesce concat concat_ws format glob hex if ifnull iif instr
    last_insert_rowid length like likelihood likely lower ltrim match max min nullif octet_length
    printf quote random randomblob regexp replace round rtrim sign soundex sqlite_compileoption_get
    sqlite_compileoption_used sqlite_offset sqlite_source_id sqlite_version substr substring
    total_changes trim typeof unhex unicode unistr unistr_quote unlikely upper zeroblob

    current_date current_time current_timestamp date datetime julianday strftime time timediff
    unixepoch

    avg count group_concat median percentile percentile_cont percentile_disc string_agg sum total
    cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number

    acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 log2
    mod pi pow power radians sin sinh sqrt tan tanh trunc

    -> ->> json json_array json_array_insert json_array_length json_error_position json_extract
    json_group_array json_group_object json_insert json_object json_patch json_pretty json_quote
    json_remove json_replace json_set json_type json_valid jsonb jsonb_array jsonb_array_insert
    jsonb_extract jsonb_group_array jsonb_group_object jsonb_insert jsonb_object jsonb_patch
    jsonb_remove jsonb_replace jsonb_set subtype

    bm25 highlight matchinfo offsets optimize snippet
    geopoly_area geopoly_bbox geopoly_blob geopoly_ccw geopoly_contains_point geopoly_group_bbox
    geopoly_json geopoly_overlap geopoly_regular geopoly_svg geopoly_within geopoly_xform

    sqlite_add_constraint sqlite_drop_column sqlite_drop_constraint sqlite_fail
    sqlite_find_constraint sqlite_rename_column sqlite_rename_quotefix sqlite_rename_table
    sqlite_rename_test
    """)

  // https://www.sqlite.org/pragma.html, without pragmas that name folders, set limits of the whole
  // process, map files into memory (where another process that cuts the file ends this one), or
  // replace the busy handler.
  private static let pragmas = names(
    """
    analysis_limit application_id auto_vacuum automatic_index cache_size cache_spill
    case_sensitive_like cell_size_check checkpoint_fullfsync collation_list compile_options
    count_changes data_version database_list default_cache_size defer_foreign_keys
    empty_result_callbacks encoding foreign_key_check foreign_key_list foreign_keys freelist_count
    full_column_names fullfsync function_list ignore_check_constraints incremental_vacuum index_info
    index_list index_xinfo integrity_check journal_mode journal_size_limit legacy_alter_table
    locking_mode max_page_count module_list optimize page_count page_size pragma_list query_only
    quick_check read_uncommitted recursive_triggers reverse_unordered_selects schema_version
    secure_delete short_column_names shrink_memory synchronous table_info table_list table_xinfo
    temp_store user_version wal_autocheckpoint wal_checkpoint
    """)
}
