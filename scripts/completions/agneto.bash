# Completion of agneto's command line for bash: put it where bash-completion looks, such as
# ~/.local/share/bash-completion/completions/agneto, or source it.

_agneto() {
  local words=() word i glued= candidate current
  # To bash `--format=json` is three words.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $glued || $word == = ]] && ((${#words[@]})); then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    [[ $word == = ]] && glued=yes || glued=
  done
  current=${COMP_WORDS[COMP_CWORD]}
  [[ $current != = ]] || current=
  glued=${words[-1]%"$current"}

  COMPREPLY=()
  while IFS=$'\t' read -r candidate _; do
    if [[ $candidate == :files ]]; then
      compopt -o filenames
      mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$current")
    else
      [[ $candidate != *= ]] || compopt -o nospace
      COMPREPLY+=("${candidate#"$glued"}")
    fi
  done < <("${COMP_WORDS[0]}" __complete -- "${words[@]}" 2>/dev/null)
}

complete -F _agneto agneto
