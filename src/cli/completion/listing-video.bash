# Completion of listing-video for bash. In ~/.bashrc:
#   source <(listing-video completion bash)
_listing_video() {
  local word line cur='' paths=none
  local -a words=() found=()
  # bash breaks words at = and : too; here they are joined again.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ${#words[@]} -gt 0 && ( $word == [:=]* || $cur == --*= || $cur == *[0-9]: ) ]]; then
      words[${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
    cur=${words[${#words[@]}-1]}
  done
  while IFS= read -r line; do
    case $line in
      :*) paths=${line#:} ;;
      *) found+=("${line%%$'\t'*}") ;;
    esac
  done < <("$1" __complete -- "${words[@]}" 2>/dev/null)
  # What stands before the last = or : is on the line already.
  if [[ $cur == *[:=]* ]]; then
    word=${cur%"${cur##*[:=]}"}
    found=("${found[@]#"$word"}")
  fi
  COMPREPLY=(${found[@]+"${found[@]}"})
  # Where nothing is found, bash offers files; the bash of macOS knows no compopt and offers them everywhere.
  case $paths in
    folders) compopt +o default -o dirnames 2>/dev/null ;;
    none) compopt +o default 2>/dev/null ;;
  esac
}
complete -o default -F _listing_video listing-video
