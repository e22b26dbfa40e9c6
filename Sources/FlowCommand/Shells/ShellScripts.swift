/// The completion scripts, which ask `flow __complete` for what fits the words of a command line.
///
/// They are the same for all versions. `Offer` describes the answer.
enum ShellScript: String, CaseIterable {
  case bash, zsh, fish

  var text: String {
    switch self {
    case .bash: Self.bashText
    case .zsh: Self.zshText
    case .fish: Self.fishText
    }
  }

  /// Also for version 3.2 of macOS, without `mapfile` and `compopt`.
  ///
  /// bash splits `--format=json` at `=`, so its word has no part of the prefix before that. If no
  /// words are offered, bash offers files (`-o default`) and quotes their names.
  private static let bashText = #"""
    # Completions of flow for bash; in ~/.bashrc: source <(flow completions bash)
    _flow() {
      local kind="" prefix="" word current="${COMP_WORDS[COMP_CWORD]}"
      COMPREPLY=()
      [ "$current" = "=" ] && current=""
      {
        IFS= read -r kind
        IFS= read -r prefix
        prefix="${prefix#--*=}"
        while IFS=$'\t' read -r word _; do
          [[ "$prefix$word" == "$current"* ]] && COMPREPLY+=("$prefix$word")
        done
      } < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
      if [ "$kind" = starts ]; then compopt -o nospace 2>/dev/null; fi
    }
    complete -o default -F _flow flow

    """#

  private static let zshText = #"""
    #compdef flow
    # Completions of flow for zsh: a file _flow in a folder of $fpath, or in ~/.zshrc, behind compinit:
    # source <(flow completions zsh)
    _flow() {
      local -a lines=("${(@f)$("${(Q)words[1]}" __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
      local kind=$lines[1] line
      local -a offered
      [[ -n $lines[2] ]] && compset -p ${#lines[2]}
      case $kind in
      files) _files ;;
      folders) _files -/ ;;
      *)
        for line in "${(@)lines[3,-1]}"; do
          [[ -n $line ]] && offered+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
        done
        if [[ $kind == starts ]]; then _describe argument offered -S ''; else _describe argument offered; fi
        ;;
      esac
    }
    if [[ $funcstack[1] == _flow ]]; then _flow "$@"; else compdef _flow flow; fi

    """#

  private static let fishText = #"""
    # Completions of flow for fish; in ~/.config/fish/config.fish: flow completions fish | source
    function __flow_complete
        set -l words (commandline -opc)
        set -l lines ($words[1] __complete $words[2..-1] (commandline -ct) 2>/dev/null)
        set -l rest (string sub --start (math (string length -- "$lines[2]") + 1) -- (commandline -ct))
        switch "$lines[1]"
            case files
                set lines $lines[1..2] (__fish_complete_path "$rest")
            case folders
                set lines $lines[1..2] (__fish_complete_directories "$rest" "")
        end
        for line in $lines[3..-1]
            echo "$lines[2]$line"
        end
    end
    complete -c flow -f -a '(__flow_complete)'

    """#
}
